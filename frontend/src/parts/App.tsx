/** The whole page. */

import { isNowhere } from "../hub/state";
import { isStream } from "../state/place";
import { filesShown, groupsShown, isNarrow } from "../state/settings";
import { Entrance } from "../hub/Entrance";
import { ConnectionBanner } from "./ConnectionBanner";
import { Dialogs } from "./Dialogs";
import { EditorPane } from "./EditorPane";
import { FilesRail } from "./FilesRail";
import { railWidths } from "./RailEdge";
import { ReviewBar } from "./ReviewBar";
import { SideRail, shownPanel } from "./SideRail";
import { Stream } from "./Stream";
import { TopBar } from "./TopBar";

export function App() {
  return isNowhere.value ? <Entrance /> : <Workbench />;
}

function Workbench() {
  const classes = [
    isNarrow.value && "narrow",
    !isNarrow.value && filesShown.value && "with-files",
    !isNarrow.value && groupsShown.value && "with-groups",
    // As a class: a style sheet that asks what is inside the page has all of it styled anew at every change.
    shownPanel().name === "chat" && "with-chat",
  ];
  return (
    <div class={`workbench ${classes.filter(Boolean).join(" ")}`} style={railWidths()}>
      <TopBar />
      <div class="desk">
        {!isNarrow.value && filesShown.value && <FilesRail />}
        {isStream.value ? <Stream /> : <EditorPane />}
        {!isNarrow.value && groupsShown.value && <SideRail />}
        <ConnectionBanner />
      </div>
      <ReviewBar />
      <Dialogs />
    </div>
  );
}
