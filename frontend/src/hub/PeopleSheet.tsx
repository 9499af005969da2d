/** What an owner sees to: who may do what in this project, its machines, and what was done. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fail } from "../acts/refreshing";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { Shown } from "../parts/Shown";
import { fullTime, shortTime } from "../rules/times";
import { closeDialog } from "../state/dialogs";
import type { AuditEntry, MachineEntry, PersonRole } from "../wire/contract";
import * as hub from "./wire";

const ROLES = ["reader", "reviewer", "owner"];

const people = signal<PersonRole[]>([]);
const machines = signal<MachineEntry[]>([]);
const entries = signal<AuditEntry[]>([]);
const isMore = signal(false);
/** What was made just now, and is shown once. */
const made = signal("");

export function PeopleSheet() {
  useEffect(() => {
    made.value = "";
    void look();
  }, []);
  return (
    <Dialog title="People and machines" class="wide people-sheet">
      <section aria-label="People">
        <h3>People</h3>
        <ul class="known">
          {people.value.map(one => (
            <Person key={`${one.person} ${one.everywhere}`} one={one} />
          ))}
        </ul>
        <InviteForm />
      </section>
      {made.value && (
        <p class="made" role="status">
          Good once, and shown once: <code>{made.value}</code>
        </p>
      )}
      <section aria-label="Machines">
        <h3>Machines</h3>
        <ul class="known">
          {machines.value.map(one => (
            <Machine key={one.id} one={one} />
          ))}
        </ul>
        <Button label="Let another machine go on with it" onClick={() => act(inviteMachine)} />
      </section>
      <section aria-label="Audit">
        <h3>What was done</h3>
        <ol class="audit">
          {entries.value.map(one => (
            <li key={one.number}>
              <time dateTime={one.at} title={fullTime(one.at)}>
                {shortTime(one.at)}
              </time>{" "}
              <Shown text={`${nameOf(one.who)} ${one.what}`} /> <Shown text={aboutOf(one)} class="hint" />
            </li>
          ))}
        </ol>
        {isMore.value && <Button label="Earlier" onClick={() => act(lookEarlier)} />}
      </section>
      <div class="sheet-verbs">
        <Button label="Close" onClick={closeDialog} />
      </div>
    </Dialog>
  );
}

function Person({ one }: { one: PersonRole }) {
  const words = [
    one.everywhere && "in all projects",
    one.browsers ? "signed in" : one.invited ? `invited until ${fullTime(one.invited)}` : "not signed in",
  ];
  return (
    <li>
      <Shown text={one.name} class="name" />
      <span class="hint">{words.filter(Boolean).join(", ")}</span>
      {one.everywhere ? (
        <span>{one.role}</span>
      ) : (
        <select
          aria-label={`Role of ${one.name}`}
          value={one.role}
          onChange={event => {
            const role = event.currentTarget.value;
            void act(async () => void (people.value = (await hub.giveRole(one.person, role)).people));
          }}
        >
          {[...ROLES, "none"].map(role => (
            <option value={role}>{role}</option>
          ))}
        </select>
      )}
    </li>
  );
}

function InviteForm() {
  const invite = async (form: HTMLFormElement) => {
    const said = new FormData(form);
    const { invitation } = await hub.invite(String(said.get("name")), String(said.get("role")));
    made.value = `${location.origin}/enter/${invitation}`;
    form.reset();
    await look();
  };
  return (
    <form
      class="invite"
      onSubmit={event => {
        event.preventDefault();
        const form = event.currentTarget;
        void act(() => invite(form));
      }}
    >
      <input name="name" aria-label="Name of who is invited" placeholder="Name" required maxLength={200} />
      <select name="role" aria-label="Role of who is invited">
        {ROLES.map(role => (
          <option value={role}>{role}</option>
        ))}
      </select>
      <button type="submit" class="button">
        Invite
      </button>
    </form>
  );
}

function Machine({ one }: { one: MachineEntry }) {
  const words = one.ended
    ? `ended ${shortTime(one.ended)}`
    : one.heard
      ? `last heard from ${shortTime(one.heard)}`
      : `not good since ${shortTime(one.expires)}`;
  return (
    <li>
      <Shown text={one.machine} class="name" />
      <span class="hint" title={`joined ${fullTime(one.joined)}`}>
        {words}
      </span>
      {!one.ended && (
        <Button
          label="Send away"
          tone="reject"
          onClick={() =>
            act(async () => {
              machines.value = (await hub.sendAway(one.id)).machines;
              await lookAtAudit();
            })
          }
        />
      )}
    </li>
  );
}

async function act(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    fail(error);
  }
}

async function look(): Promise<void> {
  await act(async () => {
    people.value = (await hub.people()).people;
    machines.value = (await hub.machines()).machines;
    await lookAtAudit();
  });
}

async function lookAtAudit(): Promise<void> {
  take((await hub.audit()).entries, []);
}

async function lookEarlier(): Promise<void> {
  take((await hub.audit(entries.value.at(-1)?.number)).entries, entries.value);
}

function take(found: AuditEntry[], before: AuditEntry[]): void {
  entries.value = [...before, ...found];
  isMore.value = found.length > 0 && found.length % 200 === 0;
}

async function inviteMachine(): Promise<void> {
  made.value = (await hub.inviteMachine()).invitation;
}

/** People are written down by their numbers: names change. */
function nameOf(who: string): string {
  const number = /^person (\d+)$/.exec(who)?.[1];
  return people.value.find(one => String(one.person) === number)?.name ?? who;
}

function aboutOf(one: AuditEntry): string {
  return Object.entries(one.about)
    .filter(([, value]) => value !== "" && value !== null && typeof value !== "object")
    .map(([name, value]) => `${name} ${name === "person" ? nameOf(`person ${value}`) : value}`)
    .join(", ");
}
