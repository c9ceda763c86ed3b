package touchline.api.view;

import java.util.List;
import java.util.Locale;
import touchline.api.domain.Marker;

/** Markers as WebVTT chapters (W3C WebVTT 1, 4.1 and 4.3). Stateless. */
public final class ChaptersView {
    private static final long US_PER_MS = 1_000;
    private static final long MS_PER_S = 1_000;

    /** Of a last chapter whose marker is at the end. */
    private static final long LEAST_US = 1_000_000;

    private ChaptersView() {}

    /**
     * One cue a marker, up to the next marker at a later time.
     *
     * @param markers in the order of their times
     * @param endUs where the last one ends
     */
    public static String webVtt(List<Marker> markers, long endUs) {
        StringBuilder text = new StringBuilder("WEBVTT\n");
        for (int i = 0; i < markers.size(); i++) {
            Marker marker = markers.get(i);
            text.append('\n')
                    .append(marker.id())
                    .append('\n')
                    .append(timestamp(marker.timeUs()))
                    .append(" --> ")
                    .append(timestamp(endUs(markers, i, endUs)))
                    .append('\n')
                    .append(cueText(marker.label()))
                    .append('\n');
        }
        return text.toString();
    }

    private static long endUs(List<Marker> markers, int index, long endUs) {
        long startUs = markers.get(index).timeUs();
        for (Marker later : markers.subList(index + 1, markers.size())) {
            // A cue ends behind its start, in milliseconds too.
            if (later.timeUs() / US_PER_MS > startUs / US_PER_MS) {
                return later.timeUs();
            }
        }
        return endUs / US_PER_MS > startUs / US_PER_MS ? endUs : startUs + LEAST_US;
    }

    /** Hours have two digits or more (4.1, WebVTT timestamp). */
    private static String timestamp(long us) {
        long ms = us / US_PER_MS;
        long s = ms / MS_PER_S;
        return String.format(
                Locale.ROOT, "%02d:%02d:%02d.%03d", s / 3_600, s / 60 % 60, s % 60, ms % MS_PER_S);
    }

    /** One line without markup: a blank line would end the cue. */
    private static String cueText(String label) {
        return label.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ")
                .strip();
    }
}
