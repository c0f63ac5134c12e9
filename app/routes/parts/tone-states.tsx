import { Badge } from "~/ui/badge/badge";
import { Button } from "~/ui/button/button";
import { edge } from "~/ui/edge/edge.css";
import { Notice } from "~/ui/notice/notice";
import { Progress } from "~/ui/progress/progress";
import { Strip } from "~/ui/strip/strip";
import { Toast } from "~/ui/toast/toast";
import { type Tone, toneIcons } from "~/ui/tone";
import type { PartStates } from "./part-states";

const tones = Object.keys(toneIcons) as Tone[];

/** Parts that show a state by tone, icon and word. */
export const toneStates: PartStates = (id) => ({
  badge: Object.fromEntries([
    ...tones.map((tone) => [tone, <Badge key={tone} tone={tone}>{`In tone ${tone}`}</Badge>]),
    [
      "without icon",
      <Badge key="none" icon={null}>
        v1.2
      </Badge>,
    ],
  ]),
  edge: Object.fromEntries(
    tones.map((tone) => [
      tone,
      <p key={tone} className={edge[tone]}>
        A row in tone {tone}
      </p>,
    ]),
  ),
  notice: Object.fromEntries(
    tones.map((tone) => [
      tone,
      <Notice key={tone} tone={tone} title={`A notice in tone ${tone}`} actions={<Button size="small">Confirm</Button>}>
        What it means.
      </Notice>,
    ]),
  ),
  progress: {
    "under way": <Progress id={id("progress")} label="Running" value={3} max={8} valueText="3 of 8" />,
    unknown: <Progress id={id("progress-unknown")} label="Waiting" />,
    danger: <Progress id={id("progress-danger")} label="Used" value={98} max={100} tone="danger" />,
  },
  strip: {
    linked: (
      <Strip text="1 of 5 runs passed" href="#" items={tones.map((tone) => ({ key: tone, tone, label: tone }))} />
    ),
    plain: <Strip text="1 of 5 runs passed" items={tones.map((tone) => ({ key: tone, tone, label: tone }))} />,
  },
  toast: Object.fromEntries(
    (["success", "danger", "warning", "info"] as const).map((variant) => [
      variant,
      <Toast
        key={variant}
        id={id(`toast-${variant}`)}
        title="Saved"
        message="The product is saved."
        variant={variant}
        stays
      />,
    ]),
  ),
});
