import type { ComponentPropsWithoutRef } from "react";
import { Button, LinkButton } from "~/ui/button/button";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import { TextField } from "~/ui/text-field/text-field";
import * as styles from "./filter-bar.css";
import { listId } from "./list-id";

export interface FilterBarProps extends Omit<ComponentPropsWithoutRef<"form">, "method" | "hidden"> {
  /** Name of the bar, such as "Filter tests". */
  label: string;
  search?: { label: string; name?: string; id?: string; defaultValue?: string; placeholder?: string };
  /** Parameters of the address to keep, such as the order. */
  hidden?: Record<string, string | undefined>;
  submitLabel?: string;
  /** Address without filters; shown only if one is set. */
  resetHref?: string;
}

/** Filters a list through its address: a GET form. Put selects with `labelHidden` or short labels inside. */
export function FilterBar(props: FilterBarProps) {
  const { label, search, hidden = {}, submitLabel = "Filter", resetHref, className, children, ...rest } = props;
  return (
    <search aria-label={label}>
      <form {...rest} method="get" className={joinClasses(styles.form, className)}>
        {Object.entries(hidden).map(
          ([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
        )}
        {search && (
          <div className={styles.search}>
            <TextField
              type="search"
              name="query"
              {...search}
              labelHidden
              placeholder={search.placeholder ?? search.label}
            />
            <Icon name="search" className={styles.searchIcon} />
          </div>
        )}
        {children}
        <div className={styles.buttons}>
          <Button>{submitLabel}</Button>
          {resetHref && (
            <LinkButton href={resetHref} variant="quiet">
              Clear
            </LinkButton>
          )}
        </div>
      </form>
      <span id={listId} tabIndex={-1} className={styles.listStart} />
    </search>
  );
}
