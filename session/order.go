package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// state is what the lines of a journal come to.
type state struct {
	tree     tree
	measures []MeasureSpec   // that are open
	tried    []triedLine     // for plans of numbers
	export   *ExportSettings // nil: none were kept
}

// order is a line that changes the state. It is obeyed in the same way by the session that
// writes it and when it is read.
type order interface{ obey(s *state) error }

// do writes a line to the journal and obeys it; one that cannot be obeyed is not written.
func (s *Session) do(line order) error {
	trial := s.state
	trial.tree = s.tree.clone()
	err := line.obey(&trial)
	if err == nil {
		err = s.store(line)
	}
	if err == nil {
		s.state = trial
	}
	return err
}

// The changes of a scenariosLine.
const (
	scenariosUse    = "use"
	scenariosRename = "rename"
	scenariosRemove = "remove"
)

// scenariosLine puts a scenario in force, gives it another name or takes it out.
type scenariosLine struct {
	Scenarios string     `json:"scenarios"`
	Name      string     `json:"name"`
	To        string     `json:"to,omitempty"` // of a new name
	At        *time.Time `json:"at,omitempty"`
}

func (l *scenariosLine) obey(s *state) error {
	set, err := s.tree.scenarios.altered(l)
	if err == nil {
		s.tree.setScenarios(set)
	}
	return err
}

// The moves of a moveLine.
const (
	moveUndo = "undo"
	moveRedo = "redo"
	moveJump = "jump"
	// moveBranch goes to a node that is not on the current branch.
	moveBranch = "branch"
	// moveBack and moveAgain take back what was done last, and that: a change of the
	// scenarios, which leaves the steps as they stand.
	moveBack  = "back"
	moveAgain = "again"
)

// moveLine moves the position: the number of steps that stand.
type moveLine struct {
	Move     string     `json:"move"`
	Position *int       `json:"position"`
	Node     int        `json:"node,omitempty"` // of a move to another branch
	At       *time.Time `json:"at,omitempty"`
}

func (l *moveLine) obey(s *state) error {
	switch l.Move {
	case moveBranch:
		if err := s.tree.find(l.Node); err != nil || l.Node == 0 {
			return errors.Join(errors.New(`a move to another branch needs a "node" that is there`), err)
		}
		s.tree.move(l.Node)
	case moveBack, moveAgain:
		by := map[string]int{moveBack: -1, moveAgain: 1}[l.Move]
		if _, ok := s.tree.inHistory(by); !ok {
			return fmt.Errorf("the move %q is not possible", l.Move)
		}
		s.tree.moveInHistory(by)
	case moveUndo, moveRedo, moveJump:
		if l.Position == nil {
			return errors.New(`a move needs a "position": the number of steps that stand after it`)
		}
		id, err := s.tree.nodeAt(*l.Position)
		if err != nil {
			return fmt.Errorf("position %d does not exist: there are %s", *l.Position,
				wording.Counted(len(s.tree.branch()), "step"))
		}
		s.tree.move(id)
	default:
		return fmt.Errorf("unknown move %q; known moves are undo, redo, jump, branch, back, again", wording.Excerpt(l.Move))
	}
	return nil
}

// The changes of a changeLine.
const (
	changeEdit   = "edit"
	changeRemove = "remove"
	changeDelete = "delete"
)

// changeLine begins a branch after the first From steps, of which the steps stand:
// what is left of the later ones after one was edited or removed. One that deletes
// a branch has its Node alone.
type changeLine struct {
	Change string            `json:"change"`
	From   int               `json:"from"`
	Steps  []json.RawMessage `json:"steps"` // each a stepLine
	Node   int               `json:"node,omitempty"`
	Undo   bool              `json:"undo,omitempty"` // see deleteLine
	At     *time.Time        `json:"at,omitempty"`

	script *Script // that is read
}

func (l *changeLine) obey(s *state) error {
	if l.Change == changeDelete {
		return (&deleteLine{Node: l.Node, Undo: l.Undo}).obey(s)
	}
	if l.Change != changeEdit && l.Change != changeRemove {
		return fmt.Errorf("unknown change %q; known changes are edit, remove, delete", wording.Excerpt(l.Change))
	}
	if position := s.tree.position(); l.From < 0 || l.From > position {
		return fmt.Errorf("a change from step %d is not possible: only %s applied", l.From, wording.Counted(position, "step"))
	}
	steps := make([]Step, len(l.Steps))
	for i, text := range l.Steps {
		fields, err := objectFields(text)
		if err != nil {
			return fmt.Errorf("step %d of the change %w", i+1, err)
		}
		line := &stepLine{}
		if err = decodeFields("a step", fields, line); err == nil {
			steps[i], err = line.step(l.script.methods)
		}
		if err != nil {
			return err
		}
		steps[i].redone = true
	}
	from, err := s.tree.nodeAt(l.From)
	if err == nil {
		l.script.change(from, steps)
	}
	return err
}

// change begins a branch of steps on top of a node; those that stood there are left as another.
func (s *Script) change(from int, steps []Step) {
	for i := range steps {
		steps[i].scenario, steps[i].lineNumber, steps[i].scenarioLine = s.tree.scenarios.inForce(), s.Lines, s.scenarioLine
	}
	s.tree.grow(from, steps)
}

// deleteLine deletes a node with all that hangs under it. In journals of earlier versions undo did not take it back.
type deleteLine struct {
	Change string     `json:"change"`
	Node   int        `json:"node"`
	Undo   bool       `json:"undo,omitempty"` // takes it back
	At     *time.Time `json:"at,omitempty"`
}

func (l *deleteLine) obey(s *state) error { return s.tree.remove(l.Node, !l.Undo) }

// branchLine gives a name to the branch that begins with a node.
type branchLine struct {
	Branch string     `json:"branch"`
	Node   int        `json:"node"`
	At     *time.Time `json:"at,omitempty"`
}

func (l *branchLine) obey(s *state) error {
	if err := s.tree.find(l.Node); err != nil {
		return err
	}
	opening := s.tree.opening(l.Node)
	if opening == 0 {
		return fmt.Errorf("%w: a branch begins with its first step", ErrPosition)
	}
	s.tree.nodes[opening].name = plainBranch(l.Branch)
	return nil
}
