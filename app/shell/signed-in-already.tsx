import { useLocation } from "@remix-run/react";
import { href } from "~/href";
import { Button, LinkButton } from "~/ui/button/button";
import { Row } from "~/ui/layout/layout";
import { Notice } from "~/ui/notice/notice";

/**
 * For a page meant for visitors, opened by a signed-in user: the link could be another person's, so nothing is done
 * before they confirm.
 */
export function SignedInAlready({ viewerName }: { viewerName: string }) {
  const { pathname, search } = useLocation();
  return (
    <Notice
      title={`You are signed in as ${viewerName}`}
      actions={
        <form method="post" action={href("/signout")}>
          <input type="hidden" name="returnTo" value={pathname + search} />
          <Row>
            <Button variant="primary" size="small">
              Log out and continue
            </Button>
            <LinkButton href={href("/dashboard")} size="small">
              Go to the dashboard
            </LinkButton>
          </Row>
        </form>
      }
    >
      Log out to use this link.
    </Notice>
  );
}
