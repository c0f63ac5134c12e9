import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { href } from "~/href";
import { TextPage } from "~/shell/page/text-page";
import { DefinitionList } from "~/ui/definition-list/definition-list";

export const meta: MetaFunction = () => [{ title: "About · API Assurance" }];

export async function loader({ context }: LoaderFunctionArgs) {
  const { registersByInvitation: byInvitation, contactAddress, publicOrigin } = context;
  const [first] = context.actuators();
  const found = await first?.getInfo();
  return { byInvitation, contactAddress, publicOrigin, version: found?.ok ? found.value.version : undefined };
}

export default function About() {
  const { byInvitation, contactAddress, publicOrigin, version } = useLoaderData<typeof loader>();
  return (
    <TextPage title="About" description="What API Assurance is, who runs it here, and what it is made of.">
      <p>
        API Assurance shows whether APIs do what their OpenAPI documents promise. An API is registered by its document,
        tests are generated for its operations, and each run says what failed, since when and why.
      </p>
      <p>
        It is for teams that own HTTP APIs and for teams that depend on those of others. A document and a running API
        are enough to start: no code and no test framework.
      </p>
      <h2>This installation</h2>
      <DefinitionList
        items={[
          { term: "Address", value: publicOrigin },
          { term: "Version", value: version ?? "Not known at the moment" },
          {
            term: "Whom to ask",
            value: (
              <>
                <a href={`mailto:${contactAddress}`}>{contactAddress}</a>, or by the{" "}
                <a href={href("/contact")}>contact form</a>
              </>
            ),
          },
          {
            term: "Documentation",
            value: (
              <>
                <a href={href("/docs")}>Guide and reference</a>, of this version
              </>
            ),
          },
        ]}
      />
      <h2>What it promises</h2>
      <ul>
        <li>Every verdict comes with its reason. “Failed” alone helps no one.</li>
        <li>“Failed” and “could not be judged” are two things, and are never shown as one.</li>
        <li>A run changes only what it created.</li>
        <li>Secrets can be written but never read: not in pages, results or logs.</li>
        <li>Pages work without JavaScript, with a keyboard or screen reader, and on slow connections.</li>
        <li>No tracking: no advertising, no analytics, and only the cookies that keep you signed in.</li>
      </ul>
      <h2>What it is built on</h2>
      <p>
        Published standards: OpenAPI 2.0 to 3.2, JSON Schema, JSONPath (RFC 9535), problem details (RFC 9457) and RE2
        for patterns. Everything the portal does is open to programs, too, through{" "}
        <a href={href("/docs/:chapter", { chapter: "api" })}>an API</a> that describes itself the way yours does.
      </p>
      <h2>Licences of what it includes</h2>
      <p>
        The typeface is Geist by Vercel and Basement Studio, under the{" "}
        <a href="https://openfontlicense.org/open-font-license-official-text/">SIL Open Font License 1.1</a>. The server
        is built with open-source packages, among them Remix, React and Hono (MIT), PGlite (Apache 2.0), zod and kysely
        (MIT). Each package's own licence lies beside it in the installation.
      </p>
      <h2>Next</h2>
      <p>
        <a href={`${href("/")}#pricing`}>See the plans</a>,{" "}
        <a href={href("/registration-type-selection")}>{byInvitation ? "ask for an invitation" : "register"}</a>, or{" "}
        <a href={href("/contact")}>write to us</a>.
      </p>
    </TextPage>
  );
}
