package touchline.api.domain;

import java.util.function.BooleanSupplier;

/**
 * A job whose turn it is. Immutable.
 *
 * @param id its name within its kind
 * @param data as it was submitted, or as its last step left it
 * @param failures how often it has failed in a row, a death of the server while it ran included
 * @param ending whether it was canceled or the server stops; its thread is interrupted then as well
 */
public record JobRun(String id, String data, int failures, BooleanSupplier ending) {}
