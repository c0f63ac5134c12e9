export type LinkPurpose = "registration" | "invitation" | "password_reset";
