package touchline.config;

import java.util.List;

/**
 * The configuration cannot be used. The message names every invalid key and its expected values. It
 * never contains the value of a secret key.
 */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Lines that say which key is wrong, and why. */
    private final transient List<String> problems;

    /**
     * @param problems one line each, at least one
     */
    ConfigException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
        this.problems = List.copyOf(problems);
    }

    ConfigException(String problem) {
        this(List.of(problem));
    }

    /** One line for each wrong key: the key, a colon, and the reason. At least one. */
    public List<String> problems() {
        return problems;
    }
}
