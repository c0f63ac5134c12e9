import { aRole, type GivenRole, givenRoles } from "~/features/people/role-words";
import { Dialog } from "~/ui/dialog/dialog";

/** Confirms an action, as the address names it. */
export type UserQuestion =
  | { kind: "disable" | "signOut" | "secondFactor" }
  | { kind: "give" | "take"; role: GivenRole };

export function readQuestion(search: URLSearchParams): UserQuestion | undefined {
  const kind = search.get("dialog");
  if (kind === "disable" || kind === "signOut" || kind === "secondFactor") return { kind };
  const role = givenRoles.find((known) => known === search.get("role"));
  return (kind === "give" || kind === "take") && role ? { kind, role } : undefined;
}

export interface UserDialogProps {
  question: UserQuestion;
  name: string;
  isOwn: boolean;
  here: string;
}

export function UserDialog({ question, name, isOwn, here }: UserDialogProps) {
  const { title, message, button, isDangerous } = toWords(question, name, isOwn);
  return (
    <Dialog
      title={title}
      message={message}
      cancelHref={here}
      action={here}
      fields={"role" in question ? { role: question.role } : undefined}
      actions={[{ name: button, value: question.kind, style: isDangerous ? "danger" : "primary" }]}
    />
  );
}

function toWords(question: UserQuestion, name: string, isOwn: boolean) {
  switch (question.kind) {
    case "disable":
      return {
        title: `Disable ${name}?`,
        message: "They are signed out immediately and can't sign in until re-enabled. Their work is kept.",
        button: "Disable account",
        isDangerous: true,
      };
    case "signOut":
      return {
        title: `Sign ${isOwn ? "yourself" : name} out everywhere?`,
        message: isOwn
          ? "All your sessions end, including this one. You can log in again."
          : "All sessions end immediately. They can log in again unless the account is disabled.",
        button: "Sign out everywhere",
        isDangerous: true,
      };
    case "secondFactor":
      return {
        title: `Reset the second factor of ${name}?`,
        message:
          "Only if you've verified that the request came from them: signing in then requires only the password until they set up a new one. They are signed out everywhere and notified by email.",
        button: "Reset second factor",
        isDangerous: true,
      };
    case "give":
      return {
        title: `Make ${name} ${aRole(question.role)}?`,
        message:
          "They will be able to do everything in your organization that you can, including removing your rights. Takes effect immediately.",
        button: `Make ${aRole(question.role)}`,
        isDangerous: false,
      };
    case "take":
      return {
        title: isOwn ? `Give up being ${aRole(question.role)}?` : `Remove this role from ${name}?`,
        message: `${isOwn ? "You are" : `${name} is`} no longer ${aRole(question.role)}, with immediate effect.${
          isOwn && question.role === "ADMIN" ? " Only another administrator can give it back to you." : ""
        }`,
        button: isOwn ? "Remove my role" : "Remove the role",
        isDangerous: true,
      };
  }
}
