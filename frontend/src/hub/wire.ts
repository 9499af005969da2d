/** What is asked of a hub about people and machines. See docs/hub.md. */

import { get, post } from "../wire/client";
import type {
  AuditDocument,
  BrowsersDocument,
  InvitationDocument,
  MachinesDocument,
  MeDocument,
  PeopleDocument,
} from "../wire/contract";

export const me = () => get<MeDocument>("/api/me");
export const people = () => get<PeopleDocument>("/api/people");
export const invite = (name: string, role: string) => post<InvitationDocument>("/api/people", { name, role });
export const giveRole = (person: number, role: string) => post<PeopleDocument>("/api/role", { person, role });
export const machines = () => get<MachinesDocument>("/api/machines");
export const inviteMachine = () => post<InvitationDocument>("/api/machines", {});
export const sendAway = (id: string) =>
  post<MachinesDocument>(`/api/machines/${encodeURIComponent(id)}/end`, {});
export const audit = (before?: number) =>
  get<AuditDocument>("/api/audit", before === undefined ? {} : { before: String(before) });
export const browsers = () => get<BrowsersDocument>("/api/browsers");
export const endBrowser = (id: string) =>
  post<BrowsersDocument>(`/api/browsers/${encodeURIComponent(id)}/end`, {});
export const signOut = () => post<object>("/api/sign-out", {});
