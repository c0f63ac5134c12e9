import { readFile } from "node:fs/promises";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { type Conversation, Forge } from "./conversation.ts";

/** https://docs.github.com/rest/issues/comments: a pull request is an issue there. */
interface IssueComment {
  id: number;
  body?: string | null;
  html_url: string;
}

/**
 * The pull request of this job of GitHub Actions; undefined where there is none, as after a push.
 * @throws CommandError without a token
 */
export async function openPullRequest(): Promise<Conversation | undefined> {
  const { GITHUB_TOKEN, GITHUB_REPOSITORY, GITHUB_EVENT_PATH, GITHUB_API_URL = "https://api.github.com" } = process.env;
  const number = await readNumber(GITHUB_EVENT_PATH);
  if (number === undefined) return undefined;
  const permission = "The job needs the permission `pull-requests: write`, and its token as GITHUB_TOKEN.";
  if (!GITHUB_TOKEN) throw new CommandError(exitCodes.credentials, `GITHUB_TOKEN is not set. ${permission}`);
  if (!GITHUB_REPOSITORY) throw new CommandError(exitCodes.usage, "GITHUB_REPOSITORY is not set: owner/name.");
  const forge = new Forge({
    ...{ name: "GitHub", permission },
    headers: {
      authorization: `Bearer ${GITHUB_TOKEN}`,
      ...{ accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
    },
  });
  const issues = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues`;
  return {
    async *list() {
      for await (const { id, body } of forge.list<IssueComment>(`${issues}/${number}/comments?per_page=100`))
        yield { id, text: body ?? "" };
    },
    update: async (id, body) =>
      (await forge.change<IssueComment>("PATCH", `${issues}/comments/${id}`, { body }))?.html_url,
    create: async (body) =>
      (await forge.write<IssueComment>("POST", `${issues}/${number}/comments`, { body })).html_url,
  };
}

interface Event {
  pull_request?: { number: number };
  /** Of a comment; an issue that is a pull request says so. */
  issue?: { number: number; pull_request?: object };
}

async function readNumber(path: string | undefined): Promise<number | undefined> {
  if (!path)
    throw new CommandError(exitCodes.usage, "GITHUB_EVENT_PATH is not set: the event says which pull request.");
  try {
    const { pull_request: pull, issue } = JSON.parse(await readFile(path, "utf8")) as Event;
    return pull?.number ?? (issue?.pull_request ? issue.number : undefined);
  } catch (error) {
    throw new CommandError(exitCodes.usage, `The event in ${path} can't be read: ${(error as Error).message}`);
  }
}
