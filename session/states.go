package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// States applies the steps of scripts or journals to the file of the options; scripts with the same format share
// the data read. The name "original" stands for the file as read, under the scenario of the first script. Of the
// options, the file, its format, methods and warnings are used. Errors are those of Run.
func States(ctx context.Context, scripts []string, o RunOptions) ([]State, error) {
	o.OtherData = true
	if _, err := o.file(); err != nil {
		return nil, err
	}
	all, err := o.readScripts(scripts)
	if err != nil {
		return nil, err
	}
	opening, states := Opening{}, make([]State, len(scripts))
	var read []byte // the format in which the opening was read
	var scenario *microdata.Scenario
	for i, script := range all {
		states[i].Name = filepath.Base(scripts[i])
		if script == nil {
			continue
		}
		o.Script = scripts[i]
		reading, err := marshal(script.Format)
		if err != nil {
			return nil, err
		}
		if opening.Data == nil || !bytes.Equal(reading, read) {
			if opening, err = o.open(ctx, script); err != nil {
				return nil, err
			}
			read = reading
		}
		document, err := o.document(ctx, opening, script)
		if err != nil {
			return nil, err
		}
		states[i].Data, states[i].Scenario = document.Data, &document.Scenario
		if scenario == nil {
			scenario = &document.Scenario
		}
	}
	if scenario == nil {
		return nil, errors.New("nothing to compare with the original: give a script")
	}
	if len(states) == 2 && states[0].Name == states[1].Name {
		states[0].Name, states[1].Name = "A: "+states[0].Name, "B: "+states[1].Name
	}
	for i := range states {
		if states[i].Data == nil {
			states[i].Data, states[i].Scenario = opening.Data, Fitted(scenario, opening.Data)
		}
	}
	return states, nil
}

// Original is the name of the data as read.
const Original = "original"

// readScripts reads scripts; the one of the original is nil.
func (o *RunOptions) readScripts(paths []string) ([]*Script, error) {
	scripts := make([]*Script, len(paths))
	for i, path := range paths {
		if path == Original {
			continue
		}
		script, err := readScriptFile(path, o.Methods)
		if bad := (*ScriptError)(nil); errors.As(err, &bad) && bad.Line <= 1 {
			return nil, fmt.Errorf("%w; give the two scripts, or the two folders that \"sdcdesk release\" wrote: protected files are compared "+
				"through the scripts that made them, because their records can be in random order", err)
		}
		if err != nil {
			return nil, err
		}
		scripts[i] = script
	}
	return scripts, nil
}
