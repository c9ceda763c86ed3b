package touchline.api.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects the problems of one request, so that a client receives all bad fields at once. One
 * request, one thread.
 */
final class Problems {
    /** Limits the length of a reply. */
    private static final int MAX_REPORTED = 100;

    private final List<FieldError> errors = new ArrayList<>();
    private boolean invalid;

    /** A value that cannot be accepted. */
    void invalid(String field, String reason) {
        invalid = true;
        add(field, reason);
    }

    /** A missing required value. */
    void missing(String field) {
        add(field, "missing");
    }

    /** Whether further problems are not reported. */
    boolean isFull() {
        return errors.size() >= MAX_REPORTED;
    }

    boolean isEmpty() {
        return errors.isEmpty();
    }

    /**
     * Ends the call if anything was reported.
     *
     * @throws ApiException 40003 if fields are missing and no other problem exists, else 40002
     */
    void throwIfAny() {
        if (errors.isEmpty()) {
            return;
        }
        FieldError first = errors.getFirst();
        String more = errors.size() > 1 ? " (and " + (errors.size() - 1) + " more)" : "";
        throw ApiException.badInput(
                invalid ? ErrorCode.INVALID_PARAMETER : ErrorCode.MISSING_PARAMETER,
                first.field() + ": " + first.reason() + more,
                errors);
    }

    private void add(String field, String reason) {
        FieldError error = new FieldError(field, reason);
        if (!isFull() && !errors.contains(error)) {
            errors.add(error);
        }
    }
}
