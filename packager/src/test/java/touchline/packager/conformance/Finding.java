package touchline.packager.conformance;

/**
 * One breach of a rule. Immutable.
 *
 * @param rule that is broken, with its clause
 * @param message what is there and what was expected
 * @param excerpt of the playlist
 */
public record Finding(Rule rule, String message, String excerpt) {
    @Override
    public String toString() {
        return "%s (%s): %s%n%s".formatted(rule, rule.clause(), message, excerpt.indent(4));
    }
}
