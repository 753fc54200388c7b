package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// state is the result of the lines of a journal.
type state struct {
	tree     tree
	measures []MeasureSpec   // the active ones
	tried    []triedLine     // evaluations for masking plans
	export   *ExportSettings // nil: none were stored
}

// order is a line that changes the state, in the same way when the session writes it and when it is read.
type order interface{ obey(s *state) error }

// do writes a line to the journal and obeys it. A line that cannot be obeyed is not written.
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

// scenariosLine activates, renames or removes a scenario.
type scenariosLine struct {
	Scenarios string     `json:"scenarios"`
	Name      string     `json:"name"`
	To        string     `json:"to,omitempty"` // the new name
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
	// moveBack and moveAgain undo and redo the last change if that is one of the scenarios or a deletion, which
	// does not change the steps.
	moveBack  = "back"
	moveAgain = "again"
)

// moveLine moves the position: the number of applied steps.
type moveLine struct {
	Move     string     `json:"move"`
	Position *int       `json:"position"`
	Node     int        `json:"node,omitempty"` // for a move to another branch
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

// changeLine starts a branch after the first From steps, with Steps: the edited step and the later ones that still
// fit. A line that deletes a branch has only Node.
type changeLine struct {
	Change string            `json:"change"`
	From   int               `json:"from"`
	Steps  []json.RawMessage `json:"steps"` // each a stepLine
	Node   int               `json:"node,omitempty"`
	Undo   bool              `json:"undo,omitempty"` // see deleteLine
	At     *time.Time        `json:"at,omitempty"`

	script *Script // the script being read
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

// change starts a branch of steps after a node; the steps that followed it stay on another branch.
func (s *Script) change(from int, steps []Step) {
	for i := range steps {
		steps[i].scenario, steps[i].lineNumber, steps[i].scenarioLine = s.tree.scenarios.inForce(), s.Lines, s.scenarioLine
	}
	s.tree.grow(from, steps)
}

// deleteLine deletes a node and all that follow it. In journals of earlier versions it cannot be undone.
type deleteLine struct {
	Change string     `json:"change"`
	Node   int        `json:"node"`
	Undo   bool       `json:"undo,omitempty"` // undo restores it
	At     *time.Time `json:"at,omitempty"`
}

func (l *deleteLine) obey(s *state) error { return s.tree.remove(l.Node, !l.Undo) }

// branchLine names the branch that begins with a node.
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
