package admission

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runx-go/runx/internal/sandbox/fsroot"
	"github.com/runx-go/runx/internal/skills"
	"github.com/runx-go/runx/internal/skills/codec"
	"github.com/runx-go/runx/internal/skills/schema"
)

// packetFile is one JSON file in a place where packets lie.
type packetFile struct {
	path string // as messages name it
	data []byte
	id   string // "" when it is no packet
}

// need is one place of the profile that names a packet.
type need struct {
	id string
	at skills.Position
}

// packetFolders are where packets lie, below a package and below the workspace.
func packetFolders() []fsroot.RelPath { return []fsroot.RelPath{"packets", "dist/packets"} }

// findPackets finds the packets that the profile names (skills 6.3); nothing is searched when it
// names none. The error is that of ctx.
func (a *admitter) findPackets(ctx context.Context) error {
	needs := packetNeeds(a.pkg.Profile)
	if len(needs) == 0 {
		return nil
	}
	a.packagePackets()
	found := a.packets
	if a.opts.Workspace != "" {
		more, err := a.workspacePackets(ctx)
		if err != nil {
			return err
		}
		found = slices.Concat(found, more)
	}
	a.pkg.packets = map[string]skills.Packet{}
	var known []string
	for _, p := range found {
		if p.id != "" {
			known = append(known, p.id)
		}
	}
	for _, n := range needs {
		a.resolve(n, found, known)
	}
	return nil
}

// packetNeeds lists each packet once, at the first place that names it.
func packetNeeds(p *skills.Profile) []need {
	var out []need
	add := func(id string, at skills.Position) {
		if id != "" && !slices.ContainsFunc(out, func(n need) bool { return n.id == id }) {
			out = append(out, need{id, at})
		}
	}
	for _, r := range p.Runners {
		for _, id := range runnerPackets(&r) {
			at := r.Artifacts.At
			for _, in := range r.Inputs {
				if in.Packet == id {
					at = in.At
				}
			}
			add(id, at)
		}
	}
	return out
}

// runnerPackets are the ids that one runner names.
func runnerPackets(r *skills.Runner) []string {
	var out []string
	for _, in := range r.Inputs {
		if in.Packet != "" {
			out = append(out, in.Packet)
		}
	}
	if r.Artifacts.Packet != "" {
		out = append(out, r.Artifacts.Packet)
	}
	for _, p := range r.Artifacts.Packets {
		out = append(out, p.Value)
	}
	return out
}

// resolve binds one id to its file, or says why it cannot.
func (a *admitter) resolve(n need, found []packetFile, known []string) {
	var first *packetFile
	for i := range found {
		p := &found[i]
		switch {
		case p.id != n.id:
		case first == nil:
			first = p
		case !bytes.Equal(first.data, p.data):
			a.fault(n.at, "packet_ambiguous", "keep one of them", "the packet %q is in two different files, %s and %s", n.id, first.path, p.path)
			return
		}
	}
	if first == nil {
		a.warn(n.at, "packet_unresolved", nearHint(n.id, known, "add it to packets/"),
			"the packet %q was not found, so values are not verified against it", n.id)
		return
	}
	if _, err := schema.Compile(first.data); err != nil {
		_, reason := compileFault(err)
		a.fault(n.at, "packet_invalid", "", "the packet %q in %s cannot be used: %s", n.id, first.path, reason)
		return
	}
	a.pkg.packets[n.id] = skills.Packet{ID: n.id, File: first.path, Schema: first.data}
}

// packagePackets reads those of the package; a file that cannot be read refuses it.
func (a *admitter) packagePackets() {
	for _, f := range a.files {
		inside := slices.ContainsFunc(packetFolders(), func(folder fsroot.RelPath) bool {
			return strings.HasPrefix(f.path, string(folder)+"/")
		})
		if !inside || !strings.HasSuffix(f.path, ".json") {
			continue
		}
		p, err := readPacket(a.dir, f.source, f.path)
		if err != nil {
			a.packetFault(skills.SeverityError, f.path, err)
			continue
		}
		a.packets = append(a.packets, p)
	}
}

// packetFault is the finding of a file that is no readable packet.
func (a *admitter) packetFault(severity skills.Severity, path string, err error) {
	at := skills.Position{File: path}
	message := fmt.Sprintf("cannot read packet: %v", err)
	if syntax, ok := errors.AsType[*codec.SyntaxError](err); ok {
		at.Line, at.Col, message = syntax.Line, syntax.Col, "cannot read packet: "+syntax.Msg
	}
	a.add(severity, at, "packet_invalid", "repair it, or move it out of the folder of packets", message)
}

// readPacket reads one file and its id.
func readPacket(dir *fsroot.Dir, source fsroot.RelPath, path string) (packetFile, error) {
	data, err := dir.ReadLimited(source, textBytes)
	if err != nil {
		return packetFile{}, err
	}
	object, err := codec.ParseObject(path, data, codec.Limits{})
	if err != nil {
		return packetFile{}, err
	}
	p := packetFile{path: path, data: data}
	if raw, ok := object.Lookup("x-runx-packet-id"); ok {
		_ = json.Unmarshal(raw, &p.id) // an id that is no string is none
	}
	return p, nil
}

// workspacePackets reads those of the workspace. What cannot be read there is a warning: it does not
// belong to the package.
func (a *admitter) workspacePackets(ctx context.Context) ([]packetFile, error) {
	dir, err := fsroot.Open(a.opts.Workspace)
	if err != nil {
		return nil, nil //nolint:nilerr // a workspace that is not there has no packets
	}
	var out []packetFile
	queue := packetFolders()
	for read := 0; len(queue) > 0 && read < packetFiles; {
		if err := context.Cause(ctx); err != nil {
			return nil, errors.Join(err, dir.Close())
		}
		folder := queue[0]
		queue = queue[1:]
		entries, err := dir.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			a.packetFault(skills.SeverityWarning, filepath.Join(dir.Name(), string(folder)), err)
		}
		for _, entry := range entries {
			read++
			path, err := fsroot.ParseRelPath(string(folder.Join(fsroot.RelPath(entry.Name()))))
			switch {
			case err != nil || read > packetFiles:
			case entry.IsDir():
				queue = append(queue, path)
			case strings.HasSuffix(entry.Name(), ".json"):
				shown := filepath.Join(dir.Name(), filepath.FromSlash(string(path)))
				if p, err := readPacket(dir, path, shown); err != nil {
					a.packetFault(skills.SeverityWarning, shown, err)
				} else {
					out = append(out, p)
				}
			}
		}
	}
	return out, dir.Close()
}
