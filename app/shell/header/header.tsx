import { href } from "~/href";
import { LinkButton } from "~/ui/button/button";
import { Icon } from "~/ui/icon/icon";
import { joinClasses } from "~/ui/join-classes";
import * as styles from "./header.css";
import { HeaderSearch } from "./header-search";
import { signedOutItems } from "./signed-out-items";

export interface HeaderProps {
  /** Path of the current page: links to it are hidden from visitors, and marked for viewers. */
  path: string;
  /** Its query, such as `?serviceId=team`. */
  search?: string;
  /** Full name of the viewer. */
  viewerName: string | undefined;
  /** Accounts are by invitation only. */
  byInvitation?: boolean | undefined;
  /** The page has the rail. */
  overRail?: boolean;
  /** Single-character keys are enabled. */
  hasSingleKeys?: boolean | undefined;
}

/** The top bar. On small screens the same items open below a hamburger, a `<details>` that needs no script. */
export function Header(props: HeaderProps) {
  const signedOut = props.viewerName === undefined;
  const items = signedOut ? <SignedOutItems {...props} /> : <SignedInItems {...props} />;
  return (
    <header className={styles.header}>
      <div className={joinClasses(styles.bar, props.overRail && styles.fullBar)}>
        <a href={signedOut ? href("/") : href("/dashboard")} className={styles.brand}>
          <svg viewBox="0 0 24 24" className={styles.mark} aria-hidden="true">
            <path d="M12 2 4 5v6c0 5 3.4 9 8 11 4.6-2 8-6 8-11V5z" fill="currentColor" opacity=".18" />
            <path
              d="M12 2 4 5v6c0 5 3.4 9 8 11 4.6-2 8-6 8-11V5z"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.6"
            />
            <path d="m8 12 3 3 5-6" fill="none" stroke="currentColor" strokeWidth="2" />
          </svg>
          API Assurance
        </a>
        {!signedOut && <HeaderSearch hasSingleKeys={props.hasSingleKeys ?? true} />}
        <nav className={styles.wide} aria-label="Main">
          {items}
        </nav>
        <details className={styles.narrow}>
          <summary className={styles.hamburger} aria-label="Menu">
            <Icon name="menu" />
          </summary>
          <nav className={styles.sheet} aria-label="Main, small screens">
            {items}
          </nav>
        </details>
      </div>
    </header>
  );
}

interface ItemProps {
  href: string;
  path: string;
  /** The other pages that count as within it. */
  alsoAt?: string;
  children: string;
}

function Item({ href, path, alsoAt, children }: ItemProps) {
  const isHere = [href, alsoAt].some((location) => location && path.startsWith(`/${location.split("/")[1]}`));
  return (
    <a href={href} className={styles.item} aria-current={isHere ? "page" : undefined}>
      {children}
    </a>
  );
}

function SignedOutItems({ path, search, byInvitation }: HeaderProps) {
  return signedOutItems(path, search, byInvitation).map(({ name, href }) =>
    name === "Register" ? (
      <LinkButton key={name} href={href} variant="primary" size="small">
        {name}
      </LinkButton>
    ) : (
      <a key={name} href={href} className={styles.item}>
        {name}
      </a>
    ),
  );
}

function SignedInItems({ path, viewerName }: HeaderProps) {
  return (
    <>
      <Item href={href("/dashboard")} path={path}>
        Dashboard
      </Item>
      <Item href={href("/administration")} path={path} alsoAt={href("/organization")}>
        Administration
      </Item>
      <span className={styles.spring} />
      <a href={href("/profile")} className={styles.item} aria-current={path === href("/profile") ? "page" : undefined}>
        <Icon name="user" />
        {viewerName}
      </a>
      <form method="post" action={href("/signout")}>
        <button type="submit" className={styles.item}>
          Logout
        </button>
      </form>
    </>
  );
}
