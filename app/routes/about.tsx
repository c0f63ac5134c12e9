import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { href } from "~/href";
import { TextPage } from "~/shell/page/text-page";

export const meta: MetaFunction = () => [{ title: "About · API Assurance" }];

export const loader = ({ context }: LoaderFunctionArgs) => ({ byInvitation: context.registersByInvitation });

export default function About() {
  const { byInvitation } = useLoaderData<typeof loader>();
  return (
    <TextPage title="About" description="What API Assurance is for, and how it works.">
      <h2>What it is for</h2>
      <p>
        An API makes promises: which requests it takes, what it answers, in which form and how soon. They are written
        down in its OpenAPI document. Whether they are kept shows only when somebody asks. API Assurance asks, as often
        as you like, and keeps the answers.
      </p>
      <h2>Who it is for</h2>
      <p>
        Teams that own HTTP APIs, and teams that depend on those of others. You need no test framework and no code to
        begin; you need the document and an address that answers.
      </p>
      <h2>How it is used</h2>
      <ol>
        <li>
          Register an API by the address, the file or the text of its document, and see what was understood of it.
        </li>
        <li>Browse its operations, and send requests from where they are described.</li>
        <li>Take the tests that are suggested for an operation, or write your own, and run them.</li>
        <li>Read which verification failed, what was expected, what came, and where in the answer it stood.</li>
        <li>When a new version of the document comes, review first what it changes and which tests that touches.</li>
      </ol>
      <h2>What it is built on</h2>
      <p>
        Published standards rather than conventions of our own: OpenAPI 2.0 to 3.2, JSON Schema, JSONPath (RFC 9535),
        problem details (RFC 9457). Regular expressions are RE2, so that no pattern can hold up a run. Everything the
        portal does is also open to programs, through an API that describes itself the same way yours does.
      </p>
      <h2>What we hold to</h2>
      <ul>
        <li>A verdict comes with its reason. “Failed” alone helps nobody.</li>
        <li>“Failed” and “could not be judged” are two things, and are never shown as one.</li>
        <li>Secrets are written, never read back: not in pages, not in results, not in logs.</li>
        <li>
          Pages work without JavaScript, by keyboard and with a screen reader, and are small enough for a slow line.
        </li>
        <li>No tracking: no advertising, no analytics, and only the cookies that keep you signed in.</li>
      </ul>
      <h2>Get started</h2>
      <p>
        <a href={`${href("/")}#pricing`}>See the plans</a>,{" "}
        <a href={href("/registration-type-selection")}>{byInvitation ? "ask for an invitation" : "register"}</a>, or{" "}
        <a href={href("/contact")}>write to us</a>.
      </p>
    </TextPage>
  );
}
