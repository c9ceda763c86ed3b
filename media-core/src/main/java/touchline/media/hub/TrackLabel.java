package touchline.media.hub;

import java.util.IllformedLocaleException;
import java.util.Locale;

/**
 * What a publisher's metadata says about a track, for people. Immutable, any thread.
 *
 * @param language a tag of BCP 47, such as {@code en} or {@code pt-BR}; empty if the publisher does
 *     not say it
 * @param name empty if the publisher does not say it
 */
public record TrackLabel(String language, String name) {
    /** The publisher says nothing. */
    public static final TrackLabel NONE = new TrackLabel("", "");

    private static final int MAX_CHARACTERS = 64;
    private static final String UNDETERMINED = "und";
    private static final int TERMINOLOGICAL = 3;

    /**
     * From a publisher: what is no language, or too long, is left out, and so is every character
     * that a playlist cannot hold in quotes (RFC 8216, 4.2).
     */
    public static TrackLabel of(String language, String name) {
        return new TrackLabel(language(language), name(name));
    }

    private static String language(String text) {
        if (text.isBlank() || text.length() > MAX_CHARACTERS) {
            return "";
        }
        try {
            Locale locale =
                    new Locale.Builder().setLanguageTag(text.strip().replace('_', '-')).build();
            String tag = locale.toLanguageTag();
            String primary = locale.getLanguage();
            if (tag.equals(UNDETERMINED) || primary.isEmpty()) {
                return "";
            }
            return shortest(primary) + tag.substring(primary.length());
        } catch (IllformedLocaleException _) {
            return "";
        }
    }

    /** Two letters instead of the three of ISO 639-2, where there are two (RFC 5646, 2.2.1). */
    private static String shortest(String primary) {
        if (primary.length() == TERMINOLOGICAL) {
            for (String two : Locale.getISOLanguages()) {
                if (Locale.of(two).getISO3Language().equals(primary)) {
                    return two;
                }
            }
        }
        return primary;
    }

    private static String name(String text) {
        StringBuilder kept = new StringBuilder();
        text.strip()
                .codePoints()
                .filter(each -> !Character.isISOControl(each) && each != '"')
                .filter(each -> Character.isValidCodePoint(each) && !isSurrogate(each))
                .limit(MAX_CHARACTERS)
                .forEach(kept::appendCodePoint);
        return kept.toString();
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
