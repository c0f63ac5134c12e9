import { href } from "~/href";
import type { Group } from "./found";
import type { Search } from "./search";

/** Users, for those who may manage them. */
export async function findPeople({ viewer, query, limit }: Search): Promise<Group[]> {
  if (!viewer.may("users:manage")) return [];
  const found = await viewer.backend.securityService.listUsers({ query: { query, limit } });
  if (!found.ok) return [];
  const { items, nextCursor } = found.value;
  return [
    {
      kind: "people",
      total: items.length,
      hasMore: nextCursor !== null,
      hits: items.map(({ id, fullName, username, email }) => ({
        href: href("/administration/user-management/users/:userId/edit", { userId: id }),
        name: fullName,
        what: [username, email].filter(Boolean).join(", "),
      })),
    },
  ];
}
