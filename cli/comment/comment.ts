import { readFile } from "node:fs/promises";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import type { Conversation } from "./conversation.ts";
import { openPullRequest } from "./github.ts";
import { openMergeRequest } from "./gitlab.ts";

/** GitHub takes 65,536 characters in a comment, GitLab more. */
const maxCharacters = 65_000;

/**
 * Writes a file of Markdown as a comment of the pull or merge request whose pipeline runs. The earlier comment of the
 * same name is updated.
 */
export async function comment({ file, name }: { file: string; name?: string }): Promise<ExitCode> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new CommandError(exitCodes.usage, `${file} can't be read: ${error.message}.`);
  });
  const conversation = await openConversation();
  if (!conversation) {
    process.stdout.write("This pipeline belongs to no pull or merge request: there is nowhere to comment.\n");
    return exitCodes.passed;
  }
  const { GITHUB_JOB, CI_JOB_NAME } = process.env;
  const marker = `<!-- assurance ${encodeURIComponent(name || GITHUB_JOB || CI_JOB_NAME || "")} -->`;
  const address = await write(conversation, marker, `${marker}\n${shorten(text)}`);
  process.stdout.write(`${address}\n`);
  return exitCodes.passed;
}

async function openConversation(): Promise<Conversation | undefined> {
  const { GITHUB_ACTIONS, GITHUB_REPOSITORY, GITLAB_CI, CI_MERGE_REQUEST_IID } = process.env;
  if (GITHUB_ACTIONS || GITHUB_REPOSITORY) return await openPullRequest();
  if (GITLAB_CI || CI_MERGE_REQUEST_IID) return openMergeRequest();
  throw new CommandError(
    exitCodes.usage,
    "Comments are written from a job of GitHub Actions or GitLab CI/CD: neither GITHUB_REPOSITORY nor CI_MERGE_REQUEST_IID is set.",
  );
}

/** Others may have copied the marker into a comment that can't be changed: the next one is tried then. */
async function write(conversation: Conversation, marker: string, text: string): Promise<string> {
  for await (const { id, text: earlier } of conversation.list()) {
    if (!earlier.startsWith(marker)) continue;
    const address = await conversation.update(id, text);
    if (address) return address;
  }
  return await conversation.create(text);
}

function shorten(text: string): string {
  if (text.length <= maxCharacters) return text;
  const kept = text.slice(0, maxCharacters);
  return `${kept.slice(0, kept.lastIndexOf("\n"))}\n\nThe rest is too long for a comment.\n`;
}
