// Package strict decodes JSON written by people: anything unknown is an error.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Decode decodes one JSON value. An unknown field, and text after the end of the value, are errors, besides those
// of package encoding/json.
func Decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if decoder.More() {
		return errors.New("there is text after its end")
	}
	return nil
}
