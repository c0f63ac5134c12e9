import type { Executor } from "../../kit/database/database.ts";
import { emailKey } from "../domain/email.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

export interface NewOrganization {
  id: string;
  kind: SecurityTables["organizations"]["kind"];
  name: string;
  serviceId: string | null;
  createdAt: Date;
}

export interface NewMember {
  userId: string;
  username: string;
  usernameKey: string;
  /** Empty for none. */
  email: string;
  fullName: string;
  passwordHash: string;
  organizationId: string;
  roles: string[];
  createdAt: Date;
}

export async function insertOrganization(db: Db, organization: NewOrganization): Promise<void> {
  await db
    .insertInto("organizations")
    .values({
      id: organization.id,
      kind: organization.kind,
      name: organization.name,
      service_id: organization.serviceId,
      created_at: organization.createdAt,
    })
    .execute();
}

/** Names of the unique violations that `insertMember` throws. */
export const usernameTakenConstraint = "users_username_key_key";
export const emailTakenConstraint = "users_email";

/** A user and their roles in their organization. */
export async function insertMember(db: Db, member: NewMember): Promise<void> {
  await db
    .insertInto("users")
    .values({
      id: member.userId,
      username: member.username,
      username_key: member.usernameKey,
      email: member.email,
      email_key: emailKey(member.email),
      full_name: member.fullName,
      password_hash: member.passwordHash,
      disabled_at: null,
      created_at: member.createdAt,
    })
    .execute();
  await db
    .insertInto("memberships")
    .values({
      user_id: member.userId,
      organization_id: member.organizationId,
      username_key: member.usernameKey,
      roles: member.roles,
      created_at: member.createdAt,
    })
    .execute();
}
