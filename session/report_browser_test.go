package session

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// browser is a headless Chromium controlled by the DevTools protocol over a pair of pipes, with a zero byte after
// each message.
type browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	last    int
	events  []string // names of the events so far
}

// openBrowser starts a browser, and skips the test if there is none.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "google-chrome", "chromium-browser"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("no Chromium is installed: reports are not looked at in a browser")
	}
	profile, err := os.MkdirTemp("", "sdcdesk-browser")
	must(t, err)
	theirs, ours, err := os.Pipe()
	must(t, err)
	back, theirsToo, err := os.Pipe()
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	cmd.ExtraFiles = []*os.File{theirs, theirsToo}
	must(t, cmd.Start())
	must(t, theirs.Close())
	must(t, theirsToo.Close())
	b := &browser{t: t, to: ours, from: bufio.NewReader(back)}
	t.Cleanup(func() {
		_ = ours.Close() // it ends with the pipe
		_ = cmd.Wait()
		cancel()
		for range 50 { // processes of the browser write for a moment longer
			if os.RemoveAll(profile) == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return b
}

// call sends a command and waits for the answer.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.last++
	message := map[string]any{"id": b.last, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	must(b.t, err)
	_, err = b.to.Write(append(text, 0))
	must(b.t, err)
	for {
		answer := b.next()
		if answer.ID != b.last {
			continue
		}
		if answer.Error != nil {
			b.t.Fatalf("%s: %s", method, answer.Error)
		}
		if result != nil {
			must(b.t, json.Unmarshal(answer.Result, result))
		}
		return
	}
}

// answer is a message of the browser: an answer, or an event.
type answer struct {
	ID            int
	Method        string
	Params        json.RawMessage
	Result, Error json.RawMessage
}

// next reads a message.
func (b *browser) next() answer {
	b.t.Helper()
	text, err := b.from.ReadBytes(0)
	must(b.t, err)
	var a answer
	must(b.t, json.Unmarshal(text[:len(text)-1], &a))
	if a.Method != "" {
		b.events = append(b.events, a.Method+string(a.Params))
	}
	return a
}

// show opens a file in a window of a width and waits until it has loaded.
func (b *browser) show(path string, width int) {
	b.t.Helper()
	b.session, b.events = "", nil
	var target struct{ TargetID, SessionID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &target)
	b.session = target.SessionID
	b.call("Page.enable", nil, nil)
	b.call("Network.enable", nil, nil)
	b.call("Log.enable", nil, nil)
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 800, "deviceScaleFactor": 1,
		"mobile": false}, nil)
	b.call("Page.navigate", map[string]any{"url": "file://" + path}, nil)
	for !slices.ContainsFunc(b.events, func(e string) bool { return strings.HasPrefix(e, "Page.loadEventFired") }) {
		b.next()
	}
}

// evaluate returns the value of an expression in the page.
func (b *browser) evaluate(expression string) any {
	b.t.Helper()
	var found struct{ Result struct{ Value any } }
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &found)
	return found.Result.Value
}

// accessible returns the names in the accessibility tree, by role.
func (b *browser) accessible() map[string][]string {
	b.t.Helper()
	type text struct{ Value any }
	var tree struct {
		Nodes []struct {
			Ignored    bool
			Role, Name text
		}
	}
	b.call("Accessibility.getFullAXTree", nil, &tree)
	names := map[string][]string{}
	for _, node := range tree.Nodes {
		if role := fmt.Sprint(node.Role.Value); !node.Ignored {
			names[role] = append(names[role], fmt.Sprint(node.Name.Value))
		}
	}
	return names
}

// Both reports, with labels that could act and a table wider than a telephone, in a browser: the page never
// scrolls sideways, makes no request and violates no rule; every heading, table and picture has a name, and
// scrolling boxes can be reached with the keyboard.
func TestReportsInABrowser(t *testing.T) {
	b := openBrowser(t)
	for _, audience := range []Audience{Internal, Users} {
		path := reportForBrowser(t, audience)
		for _, width := range []int{400, 1200} {
			b.show(path, width)
			if wide := b.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"); wide != 0.0 {
				t.Errorf("%s at %d: the page is wider by %v", audience, width, wide)
			}
			for _, event := range b.events {
				if strings.HasPrefix(event, "Network.requestWillBeSent{") && !strings.Contains(event, `"url":"file://`+path) ||
					strings.HasPrefix(event, "Log.entryAdded") {
					t.Errorf("%s: %.300s", audience, event)
				}
			}
		}
		if b.evaluate("window.acted") != nil {
			t.Errorf("%s: a label acted", audience)
		}
		sections := int(b.evaluate("document.querySelectorAll('section').length").(float64))
		tables := int(b.evaluate("document.querySelectorAll('section table').length").(float64))
		pictures := int(b.evaluate("document.querySelectorAll('svg').length").(float64))
		boxes := b.evaluate("[...document.querySelectorAll('.box')].every(e => e.tabIndex === 0)")
		reported := b.accessible()
		for role, count := range map[string]int{"heading": sections + 2, "table": tables, "image": pictures,
			"region": sections + tables} {
			found := reported[role]
			if role == "image" {
				found = append(found, reported["img"]...)
			}
			if len(found) != count || slices.Contains(found, "") {
				t.Errorf("%s: %d of the role %s, want %d, each with a name: %q", audience, len(found), role, count, found)
			}
		}
		if tables == 0 || audience == Internal && pictures == 0 || boxes != true || len(reported["rowheader"]) == 0 {
			t.Errorf("%s: %d tables, %d pictures, boxes reached: %v, %d heads of rows", audience, tables, pictures, boxes,
				len(reported["rowheader"]))
		}
	}
}

// The chapter of the decision stays within one A4 page with many long critical findings, which the next chapter
// has in full.
func TestDecisionIsOnePage(t *testing.T) {
	s := openSurvey(t, 7)
	scenario := s.Scenario()
	for _, name := range []string{"roof", "walls", "water", "electcon", "relat", "hsize", "health", "income", "expend", "savings", "pid",
		"marital", "educ", "occup"} {
		scenario.LeaveOut(name)
	}
	must(t, s.SetScenario(scenario))
	do(t, s, step("suppress-kanonymity", `{"k":4,"rule":"conservative"}`))
	var found []check.Finding
	for i := range 9 {
		f := check.Finding{Name: fmt.Sprint("found-", i), Title: "Direct identifiers and household IDs of the source", Critical: true,
			Text: strings.Repeat("Variables of the file look like direct identifiers. ", 20), Why: strings.Repeat("It reveals. ", 20)}
		for v := range 20 {
			f.Variables = append(f.Variables, fmt.Sprintf("identifier_%d_%d", i, v))
		}
		found = append(found, f)
	}
	o := ReportOptions{Path: filepath.Join(t.TempDir(), "report.html"), Audience: Internal, Findings: found, Protected: "survey.csv",
		Responsible: strings.Repeat("Department of Surveys, ", 6), Accepted: check.Accept(found, strings.Repeat("A long reason. ", 40),
			strings.Repeat("Dr Beatrice Carlsson ", 6), "2026-05-17")}
	must(t, s.Document().ExportReport(t.Context(), o, NewAnalyst()))
	page := pageFor(t, s.Document(), o)
	if full := page.Sections[1].Parts[0].Table; len(full) != 10 || !strings.Contains(full[9][0], "identifier_8_19") || full[9][1] != found[8].Text {
		t.Errorf("chapter 2 lacks findings: %v", full)
	}
	if all := sectionOf(page, "Removed variables"); all == nil || !strings.Contains(all.Lines[0], "occup") {
		t.Error("the removed variables are nowhere listed in full")
	}
	const millimetre, margins, width = 96 / 25.4, 2 * 14, 688 // A4 is 210 by 297 mm
	b := openBrowser(t)
	b.show(o.Path, width)
	b.call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
	if end := b.evaluate("document.querySelector('#s2').getBoundingClientRect().top").(float64); end > (297-margins)*millimetre {
		t.Errorf("the decision takes %.0f mm of %d", end/millimetre, 297-margins)
	}
}

// reportForBrowser writes a report with labels that could act.
func reportForBrowser(t *testing.T, audience Audience) string {
	t.Helper()
	text := "sex,region,income\n"
	for i := range 60 {
		text += fmt.Sprintf("%s,%s,%d\n", []string{"<script>window.acted=1</script>", "f"}[i%2],
			[]string{"<img src=http://127.0.0.1:1/x onerror=window.acted=1>", strings.Repeat("long", 40), "\u05e9\u05dc\u05d5\u05dd"}[i%3],
			i*i)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Numeric = []string{"sex", "region"}, []string{"income"}
	s := volatile(t, text, scenario)
	do(t, s, step("recode-round", `{"variable":"income","base":50}`))
	do(t, s, step("recode-group", `{"variable":"sex","levels":["f"],"label":"</td></table><h1>x"}`))
	path := filepath.Join(t.TempDir(), "report.html")
	must(t, s.Document().ExportReport(t.Context(), ReportOptions{Path: path, Audience: audience}, NewAnalyst()))
	return path
}
