package touchline.api.http;

/** Which alert types models serve now; asked when audit settings are given. Any thread. */
@FunctionalInterface
public interface ModerationModels {
    /**
     * @param alertType {@code nude} or {@code weapon}
     */
    boolean serves(String alertType);
}
