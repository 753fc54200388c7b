package parallel

import (
	"context"
	"sync"
)

// Turns lets pieces of work that several goroutines do at a time have a part that is done in
// the order of their numbers.
type Turns struct {
	mutex   sync.Mutex
	next    int
	left    map[int]bool          // numbers after next whose turn is over already
	waiting map[int]chan struct{} // closed when the turn of the number comes
}

// NewTurns returns the turns of pieces that are numbered from one on. Every number must
// come: the piece that has it calls Leave, however its work ended.
func NewTurns(first int) *Turns {
	return &Turns{next: first, left: map[int]bool{}, waiting: map[int]chan struct{}{}}
}

// Take waits for the turn of a number, does work, and gives the turn to the next. It returns
// the error of the context, without the work, if that ends first.
func (t *Turns) Take(ctx context.Context, number int, work func()) error {
	if err := t.wait(ctx, number); err != nil {
		return err
	}
	defer t.Leave(number) // also after a panic
	work()
	return nil
}

// wait returns when the turn of a number has come, or the context has ended.
func (t *Turns) wait(ctx context.Context, number int) error {
	t.mutex.Lock()
	if number <= t.next {
		t.mutex.Unlock()
		return ctx.Err()
	}
	come := make(chan struct{})
	t.waiting[number] = come
	t.mutex.Unlock()
	select {
	case <-come:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Leave ends the turn of a number, whether it was taken, is over already, or has not come
// yet. It never waits.
func (t *Turns) Leave(number int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if number < t.next {
		return
	}
	t.left[number] = true
	for t.left[t.next] {
		delete(t.left, t.next)
		t.next++
	}
	if come, ok := t.waiting[t.next]; ok {
		delete(t.waiting, t.next)
		close(come)
	}
}
