package survey

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
)

// blockPersons is the number of persons that are drawn from one random stream. Changing it changes the output for
// every seed.
const blockPersons = 20_000

// Columns returns the names of the variables, in file order.
func Columns() []string {
	return strings.Fields("hid pid region urbrur hsize roof walls water electcon relat sex age marital educ occup ethnic relig " +
		"health income expend savings weight")
}

// ErrPersons is returned for a negative number of persons.
var ErrPersons = errors.New("the number of persons must not be negative")

// WriteCSV writes a survey of the given number of persons as CSV with a header.
// Memory does not grow with the number of persons.
func WriteCSV(w io.Writer, persons int, seed uint64) error { return write(w, persons, seed, false) }

// WriteWithPlaces writes the same survey with the variables of Places appended.
func WriteWithPlaces(w io.Writer, persons int, seed uint64) error {
	return write(w, persons, seed, true)
}

func write(w io.Writer, persons int, seed uint64, places bool) error {
	if persons < 0 {
		return ErrPersons
	}
	names := Columns()
	if places {
		names = append(names, Places()...)
	}
	if _, err := io.WriteString(w, strings.Join(names, ",")+"\n"); err != nil {
		return err
	}
	blocks := (persons + blockPersons - 1) / blockPersons
	workers := min(runtime.GOMAXPROCS(0), max(1, blocks))
	made := make([]chan block, workers)
	stop := make(chan struct{})
	defer close(stop)
	for worker := range workers {
		made[worker] = make(chan block, 1)
		go drawBlocks(worker, workers, persons, seed, places, made[worker], stop)
	}
	households := 0 // household IDs continue from block to block
	for i := range blocks {
		b := <-made[i%workers]
		if _, err := w.Write(b.numbered(households)); err != nil {
			return err
		}
		households += b.households
	}
	return nil
}

// block is a run of whole households, as CSV lines without household IDs.
type block struct {
	text       []byte
	of         []int // household of each line in the block, from 1
	households int
}

// drawBlocks draws every workers-th block, beginning with number worker.
func drawBlocks(worker, workers, persons int, seed uint64, places bool, made chan<- block, stop <-chan struct{}) {
	c := newCountry()
	for i := worker; i*blockPersons < persons; i += workers {
		random, ofPlaces := rand.New(rand.NewPCG(seed, uint64(i))), (*rand.Rand)(nil)
		if places { // a separate stream, so that the other variables do not depend on places
			ofPlaces = rand.New(rand.NewPCG(^seed, uint64(i)))
		}
		select {
		case made <- c.drawBlock(random, ofPlaces, min(blockPersons, persons-i*blockPersons)):
		case <-stop:
			return
		}
	}
}

// drawBlock draws exactly the given number of persons in whole households; places is nil for a survey without
// places.
func (c *country) drawBlock(random, places *rand.Rand, persons int) block {
	b := block{text: make([]byte, 0, persons*130)}
	for made := 0; made < persons; {
		h := c.drawHousehold(random, persons-made)
		b.households++
		home, ward := place{}, ""
		if places != nil {
			home, ward = drawHome(places, h.region)
		}
		for pid := 1; pid <= h.size; pid++ {
			p := c.drawPerson(random, &h, pid)
			b.of = append(b.of, b.households)
			b.text = appendRecord(b.text, &h, &p, pid)
			if places != nil {
				b.text = appendPlaces(b.text, places, &home, ward, p.occupation)
			}
			b.text = append(b.text, '\n')
		}
		made += h.size
	}
	return b
}

// numbered returns the lines with household IDs that begin after the given number.
func (b *block) numbered(before int) []byte {
	out, i := make([]byte, 0, len(b.text)+9*len(b.of)), 0
	for line := range bytes.Lines(b.text) {
		out = append(strconv.AppendInt(out, int64(before+b.of[i]), 10), line...)
		i++
	}
	return out
}

// appendRecord appends a line after its household ID, beginning with the comma before the person number, without
// the line end.
func appendRecord(dst []byte, h *household, p *person, pid int) []byte {
	dst = appendCount(dst, pid)
	dst = appendTexts(dst, h.region, h.urbrur)
	dst = appendCount(dst, h.size)
	dst = appendTexts(dst, h.roof, h.walls, h.water, h.electricity, p.relation, p.sex)
	dst = appendCount(dst, p.age)
	dst = appendTexts(dst, p.marital, p.education, p.occupation, p.ethnic, h.religion, p.health)
	for _, amount := range []float64{p.income, h.expend, h.savings, h.weight} {
		dst = appendAmount(append(dst, ','), amount)
	}
	return dst
}

func appendCount(dst []byte, count int) []byte {
	return strconv.AppendInt(append(dst, ','), int64(count), 10)
}

func appendTexts(dst []byte, texts ...string) []byte {
	for _, text := range texts {
		dst = append(append(dst, ','), text...)
	}
	return dst
}

// appendAmount formats a number with the fewest decimals needed, at least one, and a missing one as the empty
// text.
func appendAmount(dst []byte, amount float64) []byte {
	if math.IsNaN(amount) {
		return dst
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, amount, 'f', -1, 64)
	if !bytes.ContainsRune(dst[start:], '.') {
		dst = append(dst, '.', '0')
	}
	return dst
}
