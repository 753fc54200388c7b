package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// The first line of every script and journal.
const (
	formatName    = "sdcdesk-script"
	formatVersion = 1
)

// headerLine is the first line of a script or journal. A script needs only the first two fields.
type headerLine struct {
	Format  string     `json:"format"`
	Version int        `json:"version"`
	Started *time.Time `json:"started,omitempty"`
	Source  *Identity  `json:"source,omitempty"`
}

// scenarioLine sets the scenario with a name and activates it, without a name the active one. The first one also
// describes how the file is read.
type scenarioLine struct {
	Scenario json.RawMessage `json:"scenario"`
	Name     string          `json:"name,omitempty"`
	File     json.RawMessage `json:"file,omitempty"`
	At       *time.Time      `json:"at,omitempty"`

	script *Script // the script being read
}

func (l *scenarioLine) obey(s *state) (err error) {
	if l.File != nil {
		if l.script.Format != nil || len(s.tree.nodes) > 1 {
			return errors.New(`"file" can be said once, before the first step`)
		}
		if l.script.Format, err = readFormat(l.File); err != nil {
			return err
		}
	}
	if l.Scenario == nil {
		return nil
	}
	scenario, err := readScenario(l.Scenario)
	if err == nil {
		s.tree.scenarios.seedTables(&scenario)
		s.tree.setScenarios(s.tree.scenarios.put(plainBranch(l.Name), &scenario))
	}
	return err
}

// scenarioOutput is a scenarioLine to write.
type scenarioOutput struct {
	Scenario microdata.Scenario `json:"scenario"`
	Name     string             `json:"name,omitempty"`
	File     *fileio.Format     `json:"file,omitempty"`
	At       *time.Time         `json:"at,omitempty"`
}

// said returns the line of a scenario, with empty lists instead of null.
func said(scenario *microdata.Scenario, file *fileio.Format, at *time.Time) scenarioOutput {
	full := scenario.Clone()
	for _, list := range []*[]string{&full.Keys, &full.Numeric, &full.Strata, &full.PRAM, &full.Sensitive, &full.Remove} {
		if *list == nil {
			*list = []string{}
		}
	}
	if full.Linked == nil {
		full.Linked = map[string][]string{}
	}
	if full.K == nil {
		full.K = []int{}
	}
	return scenarioOutput{Scenario: full, File: file, At: at}
}

// stepLine is a step. A script needs only the first two fields.
type stepLine struct {
	Step      string          `json:"step"`
	Params    json.RawMessage `json:"params"`
	Seed      uint64          `json:"seed,omitempty"`
	Version   int             `json:"version,omitempty"` // of the method
	Before    string          `json:"before,omitempty"`  // hash of the dataset before the step
	After     string          `json:"after,omitempty"`   // hash of the dataset after the step
	Seconds   float64         `json:"seconds,omitempty"`
	At        *time.Time      `json:"at,omitempty"`
	Report    *method.Report  `json:"report,omitempty"`
	Violators map[int]int     `json:"violators,omitempty"` // by k, after the step

	script *Script // the script being read
}

func (l *stepLine) obey(s *state) error {
	step, err := l.step(l.script.methods)
	if err == nil {
		l.script.change(s.tree.at, []Step{step})
	}
	return err
}

// readScenario reads a scenario strictly; omitted fields have their defaults.
func readScenario(text []byte) (microdata.Scenario, error) {
	scenario := microdata.NewScenario()
	if isNull(text) {
		return scenario, errors.New(`"scenario" must be a JSON object: {...}`)
	}
	if err := decodeObject(`"scenario"`, text, &scenario); err != nil {
		return scenario, err
	}
	if err := scenario.CheckSettings(); err != nil {
		return scenario, err
	}
	return scenario, checkTables(scenario.Tables)
}

// readFormat reads the description of a file strictly; omitted fields are guessed when the file is read.
func readFormat(text []byte) (*fileio.Format, error) {
	format := &fileio.Format{}
	if err := json.Unmarshal([]byte("{}"), format); err != nil { // sets the defaults
		return nil, err
	}
	if err := decodeObject(`"file"`, text, format); err != nil {
		return nil, err
	}
	if err := format.Validate(); err != nil {
		return nil, fmt.Errorf(`"file": %w`, err)
	}
	return format, nil
}

// step returns the step of a line, without scenario and data, and checks that its method and parameters exist.
func (line *stepLine) step(methods method.Catalog) (Step, error) {
	if line.Step == "" {
		return Step{}, errors.New(`a step needs the name of a method: {"step":"recode-intervals",...}`)
	}
	spec := StepSpec{Step: line.Step, Params: line.Params, Seed: line.Seed, Version: line.Version}
	c, err := spec.in(methods)
	if err != nil {
		return Step{}, err
	}
	written := line.Version == 0 && line.Before == "" // by hand, for the current methods
	if !written {
		if spec.Params, err = c.entry.WithFormer(line.Version, line.Params); err != nil {
			return Step{}, err
		}
		if c, err = spec.in(methods); err != nil {
			return Step{}, err
		}
	}
	today := c.entry.ResultsOf(c.method)
	if line.Version > today {
		return Step{}, fmt.Errorf("step %s was %w", line.Step, ErrNewer)
	}
	step := Step{Spec: c.StepSpec, entry: c.entry, method: c.method, Key: c.entry.Key,
		changed: !written && (line.Version == 0 && today > 0 || line.Version < c.entry.SameSince(c.method)),
		Title:   line.Step, Seconds: line.Seconds, Before: line.Before, After: line.After, Violators: line.Violators}
	if line.At != nil {
		step.At = *line.At
	}
	if line.Report != nil {
		step.Report, step.Title = *line.Report, line.Report.Title
	}
	return step, nil
}

// now returns the current time for a line, in UTC, truncated to seconds.
func now() *time.Time {
	t := time.Now().UTC().Truncate(time.Second)
	return &t
}
