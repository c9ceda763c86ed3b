package touchline.api.app;

/**
 * One line of the doctor's report.
 *
 * @param subject what was looked at, in one or two words
 * @param text what was found
 * @param advice what to do about it; empty where nothing is to be done
 */
record Finding(Level level, String subject, String text, String advice) {
    /** How much it matters: FAIL means that {@code serve} could not do its work. */
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
