package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Undo takes back the last step that stands. ErrPosition: there is none.
func (s *Session) Undo() error {
	if s.position == 0 {
		return fmt.Errorf("%w: there is nothing to undo", ErrPosition)
	}
	return s.walk(s.position - 1)
}

// Redo does the first undone step again. ErrPosition: there is none.
func (s *Session) Redo() error {
	if s.position == len(s.steps) {
		return fmt.Errorf("%w: there is nothing to redo", ErrPosition)
	}
	return s.walk(s.position + 1)
}

// Jump moves to a position: the number of steps that are to stand. Where its
// data were let go, the steps up to it are done again, which can take long:
// PrepareJump does that in the background. The position it has is no move.
func (s *Session) Jump(position int) error {
	if err := s.checkPosition(position); err != nil {
		return err
	}
	return s.walk(position)
}

func (s *Session) checkPosition(position int) error {
	if position < 0 || position > len(s.steps) {
		return fmt.Errorf("%w: %d; there are %s", ErrPosition, position, wording.Counted(len(s.steps), "step"))
	}
	return nil
}

// walk makes the data of a position and moves there.
func (s *Session) walk(position int) error {
	_, followed, err := s.chainTo(position).follow(context.Background(), nil)
	if err != nil {
		return err
	}
	return s.move(position, followed)
}

// nameOfMove returns what a move to the position is.
func (s *Session) nameOfMove(position int) string {
	switch position {
	case s.position - 1:
		return moveUndo
	case s.position + 1:
		return moveRedo
	default:
		return moveJump
	}
}

// move writes the line of a move and moves. An error that wraps
// microdata.ErrScenario or microdata.ErrWeights says that the scenario does not
// fit the data there: it names a variable that a step makes, or converts.
func (s *Session) move(position int, c chain) error {
	if position == s.position {
		return nil
	}
	if err := bears(s.scenario, s.Data(), c.end()); err != nil {
		return refusedMove(s.nameOfMove(position), s.scenario, c.end(), err)
	}
	if conflicts := s.conflictsOf(s.position, position, s.scenario); len(conflicts) > 0 {
		return fmt.Errorf("the %s is not possible: %w: step %d (%s): %s; change the roles of the variables first",
			s.nameOfMove(position), microdata.ErrScenario, conflicts[0].Step+1, conflicts[0].Title, conflicts[0].Reason)
	}
	if err := s.store(nil, moveLine{Move: s.nameOfMove(position), Position: position, At: now()}); err != nil {
		return err
	}
	s.accept(c)
	s.arrive(position)
	return nil
}

// refusedMove says first what to do: on a narrow screen only the beginning is
// seen.
func refusedMove(move string, scenario *microdata.Scenario, data *microdata.Dataset, err error) error {
	var names []string
	for _, problem := range scenario.Validate(data) {
		if problem.Variable != "" && !slices.Contains(names, problem.Variable) {
			names = append(names, problem.Variable)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("the %s is not possible: after it, %w; change the roles of the variables first", move, err)
	}
	return fmt.Errorf("first take the role of %s away: the %s is not possible: after it, %w", strings.Join(names, ", "), move, err)
}

// Jumping is the job of a jump to a position whose data were let go.
type Jumping struct {
	version  uint64
	position int
	chain    chain
}

// PrepareJump returns the job of a jump; see Jump.
func (s *Session) PrepareJump(position int) (Jumping, error) {
	if err := s.checkPosition(position); err != nil {
		return Jumping{}, err
	}
	return Jumping{s.version, position, s.chainTo(position)}, nil
}

// Ready reports whether the data are held, so that the jump takes no time.
func (j Jumping) Ready() bool { return len(j.chain.steps) == 0 }

// Run does the steps again that lead to the position, and touches nothing. The
// meter counts steps.
func (j Jumping) Run(ctx context.Context, meter *progress.Meter) (*Result, error) {
	data, followed, err := j.chain.follow(ctx, meter)
	if err != nil {
		return nil, err
	}
	return &Result{Data: data, version: j.version, chain: followed, from: j.position, move: true}, nil
}

// Replayed returns the data at a position, doing steps again where they were
// let go; the session stays as it is. It is for comparing positions.
func (s *Session) Replayed(ctx context.Context, position int) (*microdata.Dataset, error) {
	if err := s.checkPosition(position); err != nil {
		return nil, err
	}
	data, _, err := s.chainTo(position).follow(ctx, nil)
	return data, err
}
