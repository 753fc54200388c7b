package database

import (
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/release/paged"
)

var _ paged.Sieve[string] = (*paging)(nil)

// Join returns what is true of records that meet all or any of some parts.
func (p *paging) Join(any bool, parts []string) string {
	word := " AND "
	if any {
		word = " OR "
	}
	if len(parts) == 0 {
		return "1 = 1"
	}
	return "(" + strings.Join(parts, word) + ")"
}

// Not returns what is true of other records: no part is neither true nor false.
func (p *paging) Not(part string) string { return "NOT " + part }

// Missing returns what is true of records without a value.
func (p *paging) Missing(variable string) string {
	return p.blank(p.query, p.column(variable), quoted(variable), p.text(variable))
}

// mostNamed is the number of texts up to which each is a value of the statement.
const mostNamed = 100

// Among returns what is true of records with one of some texts.
func (p *paging) Among(variable string, texts []string) string {
	if len(texts) == 0 {
		return "1 = 0"
	}
	among := make([]string, 0, len(texts))
	if len(texts) > mostNamed {
		column := uploaded{name: "x"}
		for i := range texts {
			column.texts = append(column.texts, &texts[i])
		}
		name := "sdcdesk_values" + strconv.Itoa(len(p.values))
		relation, err := p.address.dialect.upload(p.ctx, p.tx, p.query, name, []uploaded{column})
		if err != nil {
			p.failed = err
		}
		among = append(among, "SELECT x FROM "+relation)
	} else {
		for _, text := range texts {
			among = append(among, p.value(text))
		}
	}
	return p.filled(variable, p.text(variable)+" IN ("+strings.Join(among, ", ")+")")
}

// Compares returns what is true of records with a number for which a comparison holds.
func (p *paging) Compares(variable, operator string, numbers []float64) string {
	compared := make([]string, len(numbers))
	if operator == "!=" {
		operator = "<>"
	}
	for i, number := range numbers {
		compared[i] = p.address.dialect.real(p.column(variable)) + " " + operator + " " + p.value(number)
	}
	return p.filled(variable, p.Join(true, compared))
}

// Contains returns what is true of records whose text holds another.
func (p *paging) Contains(variable, text string) string {
	if text == "" {
		return p.Not(p.Missing(variable))
	}
	lower := "lower(" + p.text(variable) + ")"
	return p.filled(variable, "replace("+lower+", "+p.value(paged.Lower(text))+", '') <> "+lower)
}

// filled returns what is true of records that have a value, and false of others.
func (p *paging) filled(variable, meets string) string {
	return "(CASE WHEN " + p.Missing(variable) + " THEN 0 WHEN " + meets + " THEN 1 ELSE 0 END = 1)"
}
