package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/lesson"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/job"
)

// Options say what the program begins with.
type Options struct {
	Path     string                     // the file to open; "": the start page
	Demo     bool                       // open the demonstration at once
	Override func(*fileio.Format) error // what the command line says of the format; nil: nothing
	Memory   int64                      // bytes that reading a file may take; 0: what is usual
	Scratch  *store.Store               // of the records of a session that is continued; nil: they are in memory
	Journal  string                     // where the journal is kept; "": in the state folder
	NoTrace  bool                       // nothing is written but what is exported: no journal is kept or continued
	Patterns *identify.Patterns         // of identifiers; nil: those that the program knows
	Theme    string                     // "dark", "light", "none"; "": as the terminal is
	OpenDemo Opener                     // opens the demonstration
	// NamedDemo returns what opens the demonstration of a name, such as one of another
	// size; nil: there is only that of OpenDemo.
	NamedDemo func(name string) Opener
	// OpenLesson opens the file of a lesson; nil: there are none.
	OpenLesson func(ctx context.Context, l *lesson.Lesson, meter *progress.Meter) (session.Opening, error)
	Lesson     string                                              // the lesson to begin with, by its name or the path of its script; "": none
	Learner    uint64                                              // for whom the answers of lessons stand in their order
	Recent     func(*session.Known) ([]session.JournalInfo, error) // lists sessions for the start page
	Methods    method.Catalog                                      // which steps there are; nil: all
	Measures   measure.Catalog                                     // what is told of the data; nil: all there is
	Now        func() time.Time                                    // the clock; nil: the system's
	After      job.Timer                                           // waits; nil: by the system's clock
	// of a search for a step; 0: as long as its dialog wishes
	Longest time.Duration
}

// Opener makes the data that a session starts from, with a scenario that is
// ready to be used.
type Opener func(ctx context.Context, meter *progress.Meter) (session.Opening, microdata.Scenario, error)

// known returns what session files can name: the demonstrations are those of NamedDemo,
// else the one that is opened here.
func (o *Options) known() *session.Known {
	var remake session.Maker
	if open := o.OpenDemo; open != nil {
		remake = func(ctx context.Context, name string, meter *progress.Meter) (session.Opening, error) {
			opener := open
			if o.NamedDemo != nil {
				opener = o.NamedDemo(name)
			}
			opening, _, err := opener(ctx, meter)
			return opening, err
		}
	}
	return &session.Known{Methods: o.Methods, Remake: remake}
}

func (o *Options) complete() {
	if o.Methods == nil {
		o.Methods = catalog.Methods()
	}
	if o.Measures == nil {
		o.Measures = catalog.Measures()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = tea.Tick
	}
	if o.Recent == nil {
		o.Recent = session.ListJournals
	}
	if o.NoTrace {
		o.Recent = func(*session.Known) ([]session.JournalInfo, error) { return nil, nil }
	}
	if o.Override == nil {
		o.Override = func(*fileio.Format) error { return nil }
	}
}
