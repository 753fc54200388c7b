package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

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
func (s *Session) move(r *Result) error {
	position := r.chain.position()
	if position == s.position {
		return nil
	}
	if err := bears(s.scenario, s.Data(), r.Data); err != nil {
		return refusedMove(s.nameOfMove(position), s.scenario, r.Data, err)
	}
	if conflicts := s.conflictsOf(s.position, position, s.scenario); len(conflicts) > 0 {
		return fmt.Errorf("the %s is not possible: %w: step %d (%s): %s; change the roles of the variables first",
			s.nameOfMove(position), microdata.ErrScenario, conflicts[0].Step+1, conflicts[0].Title, conflicts[0].Reason)
	}
	if err := s.store(nil, moveLine{Move: s.nameOfMove(position), Position: position, At: now()}); err != nil {
		return err
	}
	s.accept(r.chain)
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
