package touchline.api.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Marker;

final class ChaptersViewTest {
    private static Marker at(long ms, String label) {
        return new Marker("m" + ms, label, "", ms * 1_000, Instant.EPOCH);
    }

    @Test
    void webVtt_withoutMarkers_isAnEmptyFile() {
        assertEquals("WEBVTT\n", ChaptersView.webVtt(List.of(), 5_000_000));
    }

    @Test
    void webVtt_cueEndsWhereTheNextBegins_andTheLastAtTheEnd() {
        assertEquals(
                """
                WEBVTT

                m0
                00:00:00.000 --> 01:02:03.004
                Start

                m3723004
                01:02:03.004 --> 02:00:00.000
                Second half
                """,
                ChaptersView.webVtt(
                        List.of(at(0, "Start"), at(3_723_004, "Second half")), 7_200_000_000L));
    }

    @Test
    void webVtt_markersOfOneTimeAndOneAtTheEnd_haveALength() {
        assertEquals(
                """
                WEBVTT

                m1000
                00:00:01.000 --> 00:00:05.000
                a

                m1000
                00:00:01.000 --> 00:00:05.000
                b

                m5000
                00:00:05.000 --> 00:00:06.000
                c
                """,
                ChaptersView.webVtt(
                        List.of(at(1_000, "a"), at(1_000, "b"), at(5_000, "c")), 5_000_000));
    }

    /** Text of clients must not end a cue, begin another one, or be markup. */
    @Test
    void webVtt_label_isOneLineOfText() {
        assertEquals(
                """
                WEBVTT

                m0
                00:00:00.000 --> 00:00:01.000
                &lt;b&gt;R&amp;D 00:00 --&gt; 9
                """,
                ChaptersView.webVtt(List.of(at(0, "<b>R&D\r\n\n00:00 --> 9\n")), 1_000_000));
    }
}
