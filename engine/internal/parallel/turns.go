package parallel

import "sync"

// Turns lets pieces of work that several goroutines do at a time have a part that is done in
// the order of their numbers.
type Turns struct {
	mutex sync.Mutex
	moved *sync.Cond
	next  int
}

// NewTurns returns the turns of pieces that are numbered from one on. Every number has to
// come, by Take or by Pass.
func NewTurns(first int) *Turns {
	t := &Turns{next: first}
	t.moved = sync.NewCond(&t.mutex)
	return t
}

// Take waits for the turn of a number, does work, and gives the turn to the next.
func (t *Turns) Take(number int, work func()) {
	t.mutex.Lock()
	for t.next < number {
		t.moved.Wait()
	}
	t.mutex.Unlock()
	defer func() { // after a panic too nobody waits for ever
		t.mutex.Lock()
		t.next++
		t.mutex.Unlock()
		t.moved.Broadcast()
	}()
	work()
}

// Pass gives the turn of a number to the next where it was not taken.
func (t *Turns) Pass(number int) {
	t.mutex.Lock()
	taken := t.next > number
	t.mutex.Unlock()
	if !taken {
		t.Take(number, func() {})
	}
}
