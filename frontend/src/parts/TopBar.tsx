/** The line at the top: which project, whether an agent writes, and the gate. */

import { toggleStream } from "../acts/moving";
import { switchProject } from "../acts/starting";
import { counted } from "../rules/counting";
import { fullTime, shortTime } from "../rules/times";
import { leave } from "../hub/acts";
import { BrowsersSheet } from "../hub/BrowsersSheet";
import { PeopleSheet } from "../hub/PeopleSheet";
import { asked, isOwner, person } from "../hub/state";
import { openDialog } from "../state/dialogs";
import { elsewhere } from "../state/inbox";
import { isStream } from "../state/place";
import { isWriting, overview, project, projects, turns } from "../state/project";
import { filesShown, groupsShown, isNarrow } from "../state/settings";
import { Button } from "./Button";
import { GateLight } from "./GateLight";
import { Icon } from "./Icon";
import { Menu, type MenuItem } from "./Menu";
import { Shown } from "./Shown";

export function TopBar() {
  const found = overview.value;
  return (
    <header class="top-bar">
      <span class="brand" aria-hidden="true">
        Blueline
      </span>
      {projects.value.length > 1 ? (
        <select
          aria-label="Project"
          value={project.value?.id ?? ""}
          onChange={event => switchProject(event.currentTarget.value)}
        >
          {projects.value.map(one => (
            <option value={one.id}>{one.name}</option>
          ))}
        </select>
      ) : (
        <strong class="project-name" title={found?.project.root}>
          <Shown text={found?.project.name ?? ""} />
        </strong>
      )}
      {found?.project.branch && <Shown text={found.project.branch} class="branch" />}
      <AgentState />
      <MachineAway />
      <LookingOn />
      <span class="spring" />
      {isNarrow.value && (
        <Button
          label="Files, groups, timeline, notes"
          icon="files"
          bare
          onClick={() => openDialog({ kind: "drawer" })}
        />
      )}
      {!isNarrow.value && elsewhere.value.length > 0 && (
        <Button
          label={`Inbox ${elsewhere.value.length}`}
          command="inbox"
          onClick={() => openDialog({ kind: "inbox" })}
        />
      )}
      <GateLight />
      <Menu label="Workbench" class="bare" items={items}>
        <Icon name="menu" />
        <span class="unshown">Workbench</span>
      </Menu>
    </header>
  );
}

function items(): MenuItem[] {
  const rails: MenuItem[] = [
    { label: "Files", checked: filesShown.value, act: () => void (filesShown.value = !filesShown.value) },
    { label: "Groups", checked: groupsShown.value, act: () => void (groupsShown.value = !groupsShown.value) },
    {
      label: "List of changes",
      command: "stream",
      checked: isStream.value,
      act: () => void toggleStream(),
    },
  ];
  return [
    { label: "Commands", command: "palette", act: () => openDialog({ kind: "palette" }) },
    { label: "Settings", act: () => openDialog({ kind: "settings" }) },
    ...(isNarrow.value ? [] : rails),
    ...(person.value === null ? [] : hubItems()),
  ];
}

function hubItems(): MenuItem[] {
  const owners: MenuItem = {
    label: "People and machines",
    act: () => openDialog({ kind: "sheet", draw: () => <PeopleSheet /> }),
  };
  return [
    { label: "Inbox", command: "inbox", act: () => openDialog({ kind: "inbox" }) },
    { label: "What became of it", act: () => location.assign(`/report?project=${project.value?.id ?? ""}`) },
    ...(isOwner.value ? [owners] : []),
    { label: "Your browsers", act: () => openDialog({ kind: "sheet", draw: () => <BrowsersSheet /> }) },
    { label: `Sign ${person.value} out`, act: () => void leave() },
  ];
}

/** At a hub: decisions wait for a machine that is off. */
function MachineAway() {
  const { machine = "", away = "" } = asked.value ?? {};
  if (!away) return null;
  return (
    <span
      class="machine-away hint"
      title={`${machine} was last heard from ${fullTime(away)}. Decisions wait.`}
    >
      <Shown text={machine} /> last heard from <time dateTime={away}>{shortTime(away)}</time>
    </span>
  );
}

/** At a hub: who else is here. */
function LookingOn() {
  const others = (asked.value?.looking ?? []).filter(name => name !== person.value);
  if (!others.length) return null;
  return (
    <Shown text={`${others.join(", ")} ${others.length === 1 ? "is" : "are"} looking`} class="looking" />
  );
}

function AgentState() {
  const running = turns.value.filter(turn => turn.ended === null);
  if (!isWriting.value) return null;
  return (
    <span class="agent-state">
      <span class="running" />
      {running.length === 1 ? (
        <>
          <Shown text={running[0]?.agent ?? ""} />
          <span>in turn {running[0]?.id.slice(1)}</span>
        </>
      ) : (
        <span>{counted(running.length, "turn is running", "turns are running")}</span>
      )}
    </span>
  );
}
