import { CommandError, exitCodes } from "../exit-codes.ts";
import { type Conversation, Forge } from "./conversation.ts";

/** https://docs.gitlab.com/api/notes/#merge-requests */
interface Note {
  id: number;
  body: string;
}

/**
 * The merge request of this job of GitLab CI/CD; undefined where there is none, as in the pipeline of a branch.
 * @throws CommandError without a token
 */
export function openMergeRequest(): Conversation | undefined {
  const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, GITLAB_TOKEN } = process.env;
  const { CI_MERGE_REQUEST_PROJECT_ID = CI_PROJECT_ID, CI_MERGE_REQUEST_PROJECT_URL, CI_PROJECT_URL } = process.env;
  if (!CI_MERGE_REQUEST_IID) return undefined;
  if (!CI_API_V4_URL || !CI_MERGE_REQUEST_PROJECT_ID)
    throw new CommandError(exitCodes.usage, "CI_API_V4_URL and CI_PROJECT_ID are not both set.");
  const permission =
    "GITLAB_TOKEN must be an access token of the project with the scope api: the token of a job can't comment.";
  if (!GITLAB_TOKEN) throw new CommandError(exitCodes.credentials, `GITLAB_TOKEN is not set. ${permission}`);
  const forge = new Forge({ name: "GitLab", permission, headers: { "private-token": GITLAB_TOKEN } });
  const project = encodeURIComponent(CI_MERGE_REQUEST_PROJECT_ID);
  const notes = `${CI_API_V4_URL}/projects/${project}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
  const page = `${CI_MERGE_REQUEST_PROJECT_URL ?? CI_PROJECT_URL ?? ""}/-/merge_requests/${CI_MERGE_REQUEST_IID}`;
  const toAddress = ({ id }: Note) => `${page}#note_${id}`;
  return {
    async *list() {
      for await (const { id, body } of forge.list<Note>(`${notes}?per_page=100&order_by=created_at&sort=asc`))
        yield { id, text: body };
    },
    async update(id, body) {
      const note = await forge.change<Note>("PUT", `${notes}/${id}`, { body });
      return note && toAddress(note);
    },
    create: async (body) => toAddress(await forge.write<Note>("POST", notes, { body })),
  };
}
