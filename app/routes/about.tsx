import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { href } from "~/href";
import { TextPage } from "~/shell/page/text-page";

export const meta: MetaFunction = () => [{ title: "About · API Assurance" }];

export const loader = ({ context }: LoaderFunctionArgs) => ({ byInvitation: context.registersByInvitation });

export default function About() {
  const { byInvitation } = useLoaderData<typeof loader>();
  return (
    <TextPage title="About" description="What API Assurance does and how it works.">
      <h2>What it is for</h2>
      <p>
        An API is a contract: which requests it accepts, what it returns, in which format and how fast. The contract is
        its OpenAPI document. The only way to know whether it holds is to test it. API Assurance does that as often as
        you like, and keeps the results.
      </p>
      <h2>Who it is for</h2>
      <p>
        Teams that own HTTP APIs, and teams that depend on other teams' APIs. You don't need a test framework or code to
        start, just the document and a running API.
      </p>
      <h2>How it is used</h2>
      <ol>
        <li>Register an API from a URL, a file or pasted text, and see a summary before saving.</li>
        <li>Browse its operations, and send requests from where they are described.</li>
        <li>Use the suggested tests for an operation, or write your own, and run them.</li>
        <li>See which verification failed, what was expected, what was returned, and where.</li>
        <li>Review what a new version of the document changes and which tests are affected.</li>
      </ol>
      <h2>What it is built on</h2>
      <p>
        Published standards rather than conventions of our own: OpenAPI 2.0 to 3.2, JSON Schema, JSONPath (RFC 9535),
        problem details (RFC 9457). Regular expressions are RE2, so that no pattern can hold up a run. Everything the
        portal does is also open to programs, through an API that describes itself the same way yours does.
      </p>
      <h2>Our principles</h2>
      <ul>
        <li>Every verdict comes with its reason. “Failed” alone helps no one.</li>
        <li>“Failed” and “could not be judged” are two things, and are never shown as one.</li>
        <li>Secrets can be written but never read: not in pages, results or logs.</li>
        <li>Pages work without JavaScript, with a keyboard or screen reader, and on slow connections.</li>
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
