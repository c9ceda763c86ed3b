package touchline.api.events;

import org.slf4j.Logger;

/** Logs failures after which the work is tried again. Stateless. */
final class FailureLog {
    private FailureLog() {}

    /**
     * One line for an exception: the database or the network fails. The stack for an error: that is
     * a bug, or the memory is short.
     */
    static void retried(Logger log, String what, Throwable failure) {
        if (failure instanceof Error) {
            log.error("{}; tried again", what, failure);
        } else {
            log.warn("{}; tried again: {}", what, failure.getMessage());
        }
    }
}
