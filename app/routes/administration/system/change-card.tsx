import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import type { SettingChange } from "#contracts/security-service/settings.ts";
import { Button } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Row } from "~/ui/layout/layout";
import { Moment } from "~/ui/moment/moment";
import { oneLine } from "~/ui/table/one-line.css";
import { Table } from "~/ui/table/table";
import { VisuallyHidden } from "~/ui/visually-hidden/visually-hidden";
import { changeWords, settingWords } from "../setting-words";
import { value } from "./change-card.css";
import { sectionAddress } from "./sections";

/** Who changed which setting and when; the latest change of each can be undone. */
export function ChangeCard({ changes }: { changes: readonly SettingChange[] }) {
  if (changes.length === 0) {
    return (
      <Card title="Changes" id="changes">
        <p>No changes yet: all settings are defaults.</p>
      </Card>
    );
  }
  return (
    <Card title="Changes" id="changes" description="The latest change of each setting can be undone." flush>
      <Table
        caption="Setting changes, newest first"
        captionHidden
        bare
        rows={changes}
        rowKey={({ id }) => id}
        columns={[
          {
            key: "setting",
            header: "Setting",
            rowHeader: true,
            // The errors are displayed above, at the setting.
            cell: ({ setting, undoes }) => (
              <Row gap="tiny">
                <span className={oneLine}>{settingWords[setting].name}</span>
                {undoes && " (undone)"}
              </Row>
            ),
          },
          {
            key: "before",
            header: "From",
            cell: ({ setting, before }) => (
              <span className={value}>{changeWords(setting, before, defaultSettings)}</span>
            ),
          },
          {
            key: "after",
            header: "To",
            cell: ({ setting, after }) => <span className={value}>{changeWords(setting, after, defaultSettings)}</span>,
          },
          { key: "who", header: "By", cell: ({ changedBy }) => changedBy },
          { key: "when", header: "When", selfEvident: true, cell: ({ changedAt }) => <Moment value={changedAt} /> },
          { key: "undo", header: "Undo", headerHidden: true, tight: true, cell: (change) => <Undo {...change} /> },
        ]}
      />
    </Card>
  );
}

function Undo({ id, setting, isLatest }: SettingChange) {
  if (!isLatest) return null;
  return (
    <form method="post" action={sectionAddress("changes")}>
      <input type="hidden" name="changeId" value={id} />
      <Button name="intent" value="undo" size="small">
        Undo<VisuallyHidden> the change of {settingWords[setting].name}</VisuallyHidden>
      </Button>
    </form>
  );
}
