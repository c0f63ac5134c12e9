import type { MetaFunction } from "@remix-run/node";
import { ContactLink } from "~/shell/contact-link";
import { TextPage } from "~/shell/page/text-page";

export const meta: MetaFunction = () => [{ title: "Privacy policy · API Assurance" }];

export default function PrivacyPolicy() {
  return (
    <TextPage title="Privacy policy" description="What this portal stores about you, why, and for how long.">
      <h2>Who is responsible</h2>
      <p>
        The organization that operates this installation of the portal. Reach it at <ContactLink />.
      </p>
      <h2>What is stored</h2>
      <ul>
        <li>Your account: username, name, e-mail address, roles, and a hash of your password. Never the password.</li>
        <li>Your sessions: when you signed in, when you were last active, and the name your browser gives itself.</li>
        <li>What you make: API documents, tests, credentials, and the requests and responses of test executions.</li>
        <li>A log of requests to the portal, to keep it running and to find faults.</li>
      </ul>
      <h2>What it is used for</h2>
      <p>
        To let you sign in and to do what you ask the portal to do. Nothing is sold, nothing is used for advertising,
        and nothing watches how you use these pages.
      </p>
      <h2 id="registering">Registering and invitations</h2>
      <ul>
        <li>
          Registering stores the e-mail address you enter, the plan you choose and the name of the organization. If the
          account is not completed within 24 hours, the link that was mailed ends.
        </li>
        <li>
          Whoever invites you gives us your e-mail address and the roles you are to have. The invitation names them to
          you, and ends after 7 days. Nothing is accepted on your behalf by opening it.
        </li>
        <li>
          Links and codes that are mailed to you are stored as hashes only, so that nobody who reads the database can
          use them.
        </li>
      </ul>
      <h2 id="mail">Mail</h2>
      <p>
        The portal mails what you ask for: links, codes, invitations and notices about your account. Letters are
        encrypted while they wait to be sent, and go through the mail server of the operator. There are no newsletters.
        A message you write on the contact page is mailed to the operator, with your name and address for the answer.
      </p>
      <h2 id="human-check">Forms that everyone can send</h2>
      <p>
        To keep machines from sending them without end, your browser solves a small calculation while you fill in such a
        form; it tells nothing about you. An operator may use another provider's check instead: then the form shows it,
        and that provider learns your address and what its script sees of your browser.
      </p>
      <p>
        How many such forms, and how many tries to sign in, came from one network address is counted for at most 24
        hours, under a hash of the address. From which networks you have signed in is kept for 30 days, hashed as well,
        so that somebody who guesses at your password locks out themselves and not you.
      </p>
      <h2>Secrets</h2>
      <p>
        Passwords, tokens and keys of credentials are encrypted where they are stored and are sent only to the host they
        belong to. They are replaced in everything the portal shows, stores or writes to its log.
      </p>
      <h2 id="cookies">Cookies</h2>
      <p>The portal sets only cookies that its pages need, and only after you accept them:</p>
      <ul>
        <li>
          <code>cookiesAccepted</code> remembers your choice for 30 days.
        </li>
        <li>
          <code>session</code>, in numbered parts, keeps you signed in for up to 10 hours. It is encrypted and not
          readable by scripts.
        </li>
        <li>
          <code>timeZone</code> names the time zone in whose days trends are counted, as your browser says it or as you
          choose it, for 30 days.
        </li>
        <li>
          <code>theme</code> keeps whether you chose light or dark pages, for a year.
        </li>
        <li>
          <code>styles</code> says that your browser has the style sheet of these pages, so that pages do without it,
          for a year.
        </li>
        <li>
          <code>account</code> names, encrypted, which account was signed in here, for a day: a form that you send after
          your session has ended is kept for ten minutes, without passwords and files, for that account only.
        </li>
      </ul>
      <p>
        Declining removes every cookie the portal has stored. You can still read all public pages; signing in needs the
        session cookie.
      </p>
      <h2>How long</h2>
      <p>
        What you make stays until you delete it. Deleting an API deletes its documents, tests and executions with it.
        Sessions end after 10 hours or when you log out.
      </p>
      <h2>Your rights</h2>
      <p>
        You can ask what is stored about you, have it corrected, deleted or handed over, and complain to your
        supervisory authority. Write to the address above.
      </p>
    </TextPage>
  );
}
