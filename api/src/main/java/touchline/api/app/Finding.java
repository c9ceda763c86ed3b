package touchline.api.app;

/**
 * One line of the doctor's report.
 *
 * @param subject of the check, in one or two words
 * @param text the result
 * @param advice what to do; empty if nothing
 */
record Finding(Level level, String subject, String text, String advice) {
    /** Severity: FAIL means that {@code serve} cannot work. */
    enum Level {
        OK,
        WARN,
        FAIL
    }

    static Finding ok(String subject, String text) {
        return new Finding(Level.OK, subject, text, "");
    }

    static Finding warn(String subject, String text, String advice) {
        return new Finding(Level.WARN, subject, text, advice);
    }

    static Finding fail(String subject, String text, String advice) {
        return new Finding(Level.FAIL, subject, text, advice);
    }
}
