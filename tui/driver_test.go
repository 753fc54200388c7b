package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/house/longtests"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// driver runs the program without a terminal: it sends a message and runs the commands that come back, until all
// is quiet. Time is a queue of timers, and passes when nothing else is to be done.
type driver struct {
	testing.TB
	m      *Model
	now    time.Time
	timers []timer
	held   []tea.Cmd // commands kept back by Hold
	hold   bool
	quit   bool
}

// timer is a message that arrives at a time.
type timer struct {
	at    time.Time
	bring func(time.Time) tea.Msg
}

// timerMsg puts a timer into the queue.
type timerMsg timer

// besides are the names of the tests that run beside others.
var besides sync.Map

// beside lets a test that writes no file, and changes nothing that others see, run beside others.
func beside(t *testing.T) {
	besides.Store(t.Name(), true)
	t.Parallel()
}

// start runs the program with options on a screen of a size.
func start(t testing.TB, options Options, width, height int) *driver {
	t.Helper()
	if _, is := besides.Load(t.Name()); !is {
		if folder, err := os.Getwd(); err == nil && folder == here {
			t.Chdir(t.TempDir()) // exported files are removed
		}
	}
	d := &driver{TB: t, now: time.Date(2024, 5, 6, 12, 4, 0, 0, time.UTC)}
	options.Now = func() time.Time { return d.now }
	options.After = func(wait time.Duration, bring func(time.Time) tea.Msg) tea.Cmd {
		at := d.now.Add(wait) // commands run concurrently with what moves the time
		return func() tea.Msg { return timerMsg{at, bring} }
	}
	if options.Longest == 0 {
		options.Longest = 1 // searches stop at their first result
	}
	if options.Recent == nil {
		options.Recent = func(*session.MethodSource) ([]session.JournalInfo, error) { return nil, nil }
	}
	d.m = New(options)
	d.run(d.m.Init())
	return d.Send(tea.WindowSizeMsg{Width: width, Height: height})
}

// Send sends messages in quick succession without time passing, and then waits until all is quiet. With -short
// only the last frame is drawn; the tests of random keys draw one after every key.
func (d *driver) Send(messages ...tea.Msg) *driver {
	d.Helper()
	for i, msg := range messages {
		_, cmd := d.m.Update(msg)
		d.run(cmd)
		if i < len(messages)-1 && longtests.Wanted() {
			d.frame()
		}
	}
	for !d.hold && len(d.timers) > 0 {
		d.Pass()
	}
	d.frame()
	return d
}

// Pass advances the time to the first timer.
func (d *driver) Pass() {
	at := 0
	for i := range d.timers {
		if d.timers[i].at.Before(d.timers[at].at) {
			at = i
		}
	}
	next := d.timers[at]
	d.timers = slices.Delete(d.timers, at, at+1)
	d.now = next.at
	_, cmd := d.m.Update(next.bring(d.now))
	d.run(cmd)
}

// run runs a command and what follows from it.
func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if d.hold {
		d.held = append(d.held, cmd)
		return
	}
	d.follow(cmd())
}

// act calls a function in the program's turn.
func (d *driver) act(do func()) {
	do()
	_, cmd := d.m.Update(nil)
	d.run(cmd)
}

// follow sends the message of a command.
func (d *driver) follow(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.run(cmd)
		}
	case timerMsg:
		d.timers = append(d.timers, timer(msg))
	case tea.QuitMsg:
		d.quit = true
		_, _ = d.m.ended(nil)
	default:
		_, cmd := d.m.Update(msg)
		d.run(cmd)
	}
}

// Hold keeps commands back, as if they were slow, until Release.
func (d *driver) Hold() *driver {
	d.hold = true
	return d
}

// Release runs the commands that were kept back, the oldest first.
func (d *driver) Release() *driver {
	d.Helper()
	d.hold = false
	held := d.held
	d.held = nil
	for _, cmd := range held {
		d.run(cmd)
	}
	for len(d.timers) > 0 {
		d.Pass()
	}
	d.frame()
	return d
}

// Press presses keys by their names.
func (d *driver) Press(names ...string) *driver {
	d.Helper()
	return d.Send(pressed(names...)...)
}

// Type types a text.
func (d *driver) Type(text string) *driver {
	d.Helper()
	return d.Send(typed(text)...)
}

// retype clears a field and types a text.
func (d *driver) retype(text string) *driver {
	d.Helper()
	return d.Send(slices.Concat(pressed(slices.Repeat([]string{"backspace"}, 60)...), typed(text))...)
}

// pressed returns the messages of keys by name.
func pressed(names ...string) []tea.Msg {
	var keys []tea.Msg
	for _, name := range names {
		keys = append(keys, draw.Press(name))
	}
	return keys
}

// typed returns the messages of typing a text.
func typed(text string) []tea.Msg {
	var keys []tea.Msg
	for _, r := range text {
		keys = append(keys, tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return keys
}

// Resize changes the size of the screen.
func (d *driver) Resize(width, height int) *driver {
	d.Helper()
	return d.Send(tea.WindowSizeMsg{Width: width, Height: height})
}

// frame draws the screen and checks that it fills it exactly.
func (d *driver) frame() string {
	d.Helper()
	frame := d.m.frame()
	lines := strings.Split(frame, "\n")
	if len(lines) != d.m.height {
		d.Fatalf("a screen of %d×%d has %d lines:\n%s", d.m.width, d.m.height, len(lines), ansi.Strip(frame))
	}
	for i, line := range lines {
		if size := draw.Width(line); size != d.m.width {
			d.Fatalf("line %d of a screen of %d×%d has %d cells:\n%q\n%s", i+1, d.m.width, d.m.height, size, ansi.Strip(line),
				ansi.Strip(frame))
		}
	}
	return frame
}

// Text returns the screen without colours.
func (d *driver) Text() string {
	d.Helper()
	return ansi.Strip(d.frame())
}

// Screen returns the text of the screen for checks.
func (d *driver) Screen() shown {
	d.Helper()
	return shown{d, "the screen", d.Text()}
}

// Pane returns a pane as drawn in its place, or large if it is not visible.
func (d *driver) Pane(id string) shown {
	d.Helper()
	s := d.m.state()
	pane := d.m.bench.pane(id)
	if focused := d.m.focused(); focused.ID() == id {
		pane = focused
	}
	if pane == nil {
		d.Fatalf("there is no pane %s", id)
	}
	return shown{d, "pane " + id, ansi.Strip(pane.View(s, 100, 30, true))}
}

// Dialog returns the open dialog, drawn large.
func (d *driver) Dialog() shown {
	d.Helper()
	if d.m.dialog == nil {
		d.Fatalf("no dialog is open:\n%s", d.Text())
	}
	return shown{d, "the dialog", d.m.dialog.Title() + "\n" + ansi.Strip(d.m.dialog.View(d.m.dialogState(), 120, 32))}
}

// shown is a text on the screen.
type shown struct {
	*driver
	name, text string
}

// Contains checks that the text contains others.
func (s shown) Contains(texts ...string) *driver {
	s.Helper()
	for _, text := range texts {
		if !strings.Contains(s.text, text) {
			s.Errorf("%s lacks %q:\n%s", s.name, text, s.text)
		}
	}
	return s.driver
}

// Lacks checks that the text does not contain others.
func (s shown) Lacks(texts ...string) *driver {
	s.Helper()
	for _, text := range texts {
		if strings.Contains(s.text, text) {
			s.Errorf("%s has %q:\n%s", s.name, text, s.text)
		}
	}
	return s.driver
}

// files are the data of the tests, read once.
var files = map[string]func() (*microdata.Dataset, error){
	"survey.csv":  sync.OnceValues(func() (*microdata.Dataset, error) { return readFile("survey.csv") }),
	"sample.csv":  sync.OnceValues(readSample),
	"guide10.csv": sync.OnceValues(func() (*microdata.Dataset, error) { return readFile("guide10.csv") }),
}

// here is the folder of the package; the program runs in another one.
var here string

// testFile returns the path of a file of the project's testdata.
func testFile(name string) string { return filepath.Join(here, "..", "testdata", name) }

func readFile(name string) (*microdata.Dataset, error) {
	path := testFile(name)
	format, err := fileio.GuessFile(context.Background(), path, nil)
	if err != nil {
		return nil, err
	}
	data, _, err := fileio.Read(context.Background(), path, format, nil)
	return data, err
}

// readSample reads the data of surveyOf.
func readSample() (*microdata.Dataset, error) {
	text, err := sampleText()
	if err != nil {
		return nil, err
	}
	data, _, err := fileio.ReadBytes(context.Background(), "survey.csv", []byte(text), fileio.NewFormat(), nil)
	return data, err
}

// surveyScenario returns the scenario of the reference figures.
func surveyScenario() microdata.Scenario {
	s := microdata.NewScenario()
	s.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	s.Weight, s.Household, s.Remove = "weight", "hid", []string{"pid"}
	return s
}

// opener returns an opener of a file of testdata under a scenario, without a journal.
func opener(name string, scenario microdata.Scenario) Opener {
	return func(context.Context, *progress.Meter) (session.Opening, microdata.Scenario, error) {
		data, err := files[name]()
		return session.Opening{Source: session.NewDemonstration(strings.Replace(name, "sample", "survey", 1), fileio.NewFormat()), Data: data, Volatile: true},
			scenario, err
	}
}

// demonstration runs the program on the survey of 5,000 records, whose figures are known.
func demonstration(t testing.TB, width, height int) *driver {
	t.Helper()
	return start(t, Options{Demo: true, OpenDemo: opener("survey.csv", surveyScenario())}, width, height)
}

// surveyOf runs the program on the survey, on 409 of its records except in long tests.
func surveyOf(t testing.TB, width, height int) *driver {
	t.Helper()
	return start(t, Options{Demo: true, OpenDemo: opener("sample.csv", surveyScenario())}, width, height)
}

// guide runs the program on the ten records of the guide.
func guide(t testing.TB, width, height int) *driver {
	t.Helper()
	data, err := files["guide10.csv"]()
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	for _, column := range data.Columns()[:min(4, len(data.Columns()))] {
		scenario.Keys = append(scenario.Keys, column.Name())
	}
	return start(t, Options{Demo: true, OpenDemo: opener("guide10.csv", scenario)}, width, height)
}

// steps returns the titles of the applied steps.
func (d *driver) steps() []string {
	var titles []string
	for _, step := range d.m.bench.doc.Steps()[:d.m.bench.doc.Position()] {
		titles = append(titles, step.Title)
	}
	return titles
}

func TestMain(m *testing.M) {
	AsProgram()
	runtime.MemProfileRate = 0
	time.Local = time.UTC // frames show local times
	var err error
	if here, err = os.Getwd(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	longtests.Main(m)
}

// textOpener returns an opener of a text.
func textOpener(name, text string, scenario microdata.Scenario) Opener {
	return func(ctx context.Context, meter *progress.Meter) (session.Opening, microdata.Scenario, error) {
		data, report, err := fileio.ReadBytes(ctx, name, []byte(text), fileio.NewFormat(), meter)
		if err != nil {
			return session.Opening{}, scenario, err
		}
		return session.Opening{Source: session.NewDemonstration(name, report.Format), Data: data, Volatile: true}, scenario,
			nil
	}
}

// focus moves to the field of the open dialog with a label.
func (d *driver) focus(label string) *driver {
	d.Helper()
	for _, name := range []string{"down", "up"} {
		for range 30 {
			if strings.Contains(d.Text(), "▸ "+label+" ") {
				return d
			}
			d.Press(name)
		}
	}
	d.Fatalf("no field %q:\n%s", label, d.Text())
	return d
}

// asked returns the method of the step that the open dialog asks about, with its parameters, or a zero method if
// the dialog makes no step.
func asked[M method.Method](d *driver) M {
	d.Helper()
	var none M
	dialog := d.m.asker()
	if dialog == nil || dialog.Question() == nil {
		return none
	}
	step := dialog.Question().Step
	spec, ok := d.m.options.Methods.Find(step.Step)
	if !ok {
		d.Fatalf("no method %q", step.Step)
	}
	m, params := spec.New(), map[string]json.RawMessage{}
	if err := errors.Join(json.Unmarshal(step.Params, &params), method.Decode(m, params)); err != nil {
		d.Fatal(err)
	}
	made, ok := m.(M)
	if !ok {
		d.Fatalf("the dialog asks about %T", m)
	}
	return made
}

// ends returns the breaks between the intervals of the open dialog.
func ends(d *driver) []float64 {
	d.Helper()
	breaks := asked[*recode.Intervals](d).Breaks
	return breaks[1 : len(breaks)-1]
}

// longTests reports whether tests run that take longer than a developer should wait for.
