package touchline.benchmarks.simulation;

/** An invariant does not hold. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The invariant, without details: what a smaller schedule must break, too. */
    private final String rule;

    Violation(String rule, String details) {
        super(rule + ": " + details);
        this.rule = rule;
    }

    String rule() {
        return rule;
    }
}
