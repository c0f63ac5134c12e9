import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { CopyButton } from "~/ui/code-block/copy-button";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { scrollable } from "~/ui/scrollable";
import { type Tone, toneIcons } from "~/ui/tone";
import * as styles from "./code-block.css";

export interface LineMark {
  /** Counted from `firstLine`. */
  line: number;
  tone: Tone;
  /** Text next to the line, since colour alone has no meaning. */
  note: string;
}

export interface CodeBlockProps extends Omit<ComponentPropsWithoutRef<"div">, "children"> {
  /** Needed for `copy` and for `firstLine`: lines get the ids `${id}-line-${number}`. */
  id?: string;
  /** Name of the text, for screen readers also where `labelHidden`. */
  label: string;
  labelHidden?: boolean;
  code: string;
  /** Wraps long lines where horizontal scrolling would hide their meaning. */
  wrap?: boolean;
  /** Numbers the lines, starting with this number. */
  firstLine?: number;
  marks?: readonly LineMark[];
  /** Adds a copy button, hidden until the script has loaded. */
  copy?: boolean;
  actions?: ReactNode;
}

/** Preformatted text. It scrolls, also by keyboard. */
export function CodeBlock(props: CodeBlockProps) {
  const { id, label, labelHidden, code, wrap, firstLine, marks, copy, actions, className, ...rest } = props;
  const textId = id && `${id}-text`;
  const numbered = firstLine !== undefined || Boolean(marks?.length);
  return (
    <div {...rest} id={id} className={joinClasses(styles.frame, className)}>
      {(!labelHidden || copy || actions) && (
        <div className={styles.bar}>
          <span aria-hidden="true">{!labelHidden && label}</span>
          <span>
            {actions}
            {copy && textId && <CopyButton targetId={textId} label={label} />}
          </span>
        </div>
      )}
      <pre
        id={textId}
        {...scrollable(label)}
        className={joinClasses(styles.code, wrap && styles.wrapped, numbered && styles.numbered)}
      >
        {numbered ? <Lines code={code} firstLine={firstLine ?? 1} marks={marks} idPrefix={id} /> : <code>{code}</code>}
      </pre>
    </div>
  );
}

interface LinesProps extends Pick<CodeBlockProps, "code" | "marks"> {
  firstLine: number;
  idPrefix: string | undefined;
}

function Lines({ code, firstLine, marks = [], idPrefix }: LinesProps) {
  return code
    .replace(/\r?\n$/, "")
    .split(/\r\n|\n|\r/)
    .map((content, index) => {
      const number = firstLine + index;
      const here = marks.filter((mark) => mark.line === number);
      return (
        <code
          key={number}
          id={idPrefix && `${idPrefix}-line-${number}`}
          data-line={number}
          className={joinClasses(styles.line, here[0] && styles.mark[here[0].tone])}
        >
          {content}
          {"\n"}
          {here.map(({ tone, note }) => (
            <span key={note} className={styles.note[tone]}>
              <Icon name={toneIcons[tone]} className={styles.noteIcon} />
              {note}
            </span>
          ))}
        </code>
      );
    });
}
