import { hash } from "@node-rs/argon2";
import { uuidv7 } from "uuidv7";
import { usernameKey } from "../domain/username.ts";
import { insertMember, insertOrganization } from "../store/new-accounts.ts";
import type { SecurityWorld } from "./world.ts";

type Rows = Pick<SecurityWorld, "db" | "clock">;

export const memberPassword = "river stone lamp cloud";
/** Argon2id at its lowest cost: these tests depend on stored hashes, not on their strength. */
const passwordHash = await hash(memberPassword, { algorithm: 2, memoryCost: 64, timeCost: 1, parallelism: 1 });

export interface MemberSketch {
  username: string;
  roles?: string[];
  email?: string;
  fullName?: string;
}

/** @returns the new organization's id */
export async function addOrganization({ db, clock }: Rows, name = "Other organization"): Promise<string> {
  const id = uuidv7();
  await insertOrganization(db, { id, kind: "organization", name, serviceId: null, createdAt: clock.now() });
  return id;
}

/** @returns the new user's id; the password is `memberPassword` */
export async function addMember(
  { db, clock }: Rows,
  organizationId: string,
  { username, roles = ["VIEWER"], email = `${username}@example.com`, fullName = username }: MemberSketch,
): Promise<string> {
  const userId = uuidv7();
  await insertMember(db, {
    userId,
    username,
    usernameKey: usernameKey(username) as string,
    email,
    fullName,
    passwordHash,
    organizationId,
    roles,
    createdAt: clock.now(),
  });
  return userId;
}

/** A client of a user who has just signed in. */
export async function signInAs(world: SecurityWorld, username: string) {
  const result = await world.logIn(username, memberPassword);
  if (!result.ok) throw new Error(`${username} was refused: ${result.problem.detail}`);
  return { ...result.value, client: world.connect({ token: result.value.accessToken }) };
}
