import { ActionItem, ActionList } from "~/ui/action-list/action-list";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import type { SetUpStep } from "./set-up";

/** The remaining set-up steps; each disappears when it is done, and the card with the last. */
export function SetUpCard({ steps }: { steps: readonly SetUpStep[] }) {
  if (steps.length === 0) return null;
  return (
    <Card title="Get started" description={`${plural(steps.length, "step")} left`} flush>
      <ActionList ordered>
        {steps.map(({ title, sentence, action, href, optional }, index) => (
          <ActionItem key={title} title={title} headingLevel={3} description={sentence}>
            {href && (
              <LinkButton href={href} variant={index === 0 && !optional ? "primary" : "secondary"}>
                {action}
              </LinkButton>
            )}
          </ActionItem>
        ))}
      </ActionList>
    </Card>
  );
}
