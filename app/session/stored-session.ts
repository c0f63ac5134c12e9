import { z } from "zod";
import { toastMessage } from "~/session/toast-message";

const authSession = z.object({
  id: z.string(),
  username: z.string(),
  fullName: z.string(),
  email: z.string(),
  timeZone: z.string().optional().describe("What they chose; without it their browser says it."),
  accessToken: z.string(),
  expiresAt: z.number().describe("Expiry of the access token, in epoch seconds."),
  refreshToken: z.string().describe("Empty: the session can't be renewed."),
  roles: z.array(z.string()),
  scopes: z.array(z.string()),
  needsSecondFactor: z
    .boolean()
    .optional()
    .describe("Your organization requires one. Until then you can't open other pages."),
});
export type AuthSession = z.infer<typeof authSession>;

/**
 * When the next page asks for outstanding notifications: at once after sign-in, a second later after one was answered
 * (section 9 of the specification).
 */
const announce = z.enum(["now", "later"]);
export type Announce = z.infer<typeof announce>;

/** Content of the session cookie. Members added by later versions are optional, so that an upgrade signs no one out. */
export const storedSession = z.object({
  auth: authSession.optional(),
  toasts: z.array(toastMessage),
  announce: announce.optional(),
});
export type StoredSession = z.infer<typeof storedSession>;
