// Package risk has the panes of the tab Risk: the distribution of individual risks, SUDA2, diversity, and
// attribute inference.
package risk
