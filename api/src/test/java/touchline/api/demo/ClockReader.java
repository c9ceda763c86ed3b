package touchline.api.demo;

import java.util.function.IntBinaryOperator;
import touchline.api.programme.BitmapFont;

/** Reads the burnt-in letters back, by looking at the middle of each dot. */
final class ClockReader {
    private static final String LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ:.- ";
    private static final int THRESHOLD = 130;

    private ClockReader() {}

    /** A letter that no glyph matches exactly is a question mark. */
    static String read(IntBinaryOperator luma, BitmapFont.Place place, int letters) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < letters; i++) {
            int x = place.x() + i * BitmapFont.ADVANCE * place.scale();
            text.append(letter(luma, new BitmapFont.Place(x, place.y(), place.scale())));
        }
        return text.toString();
    }

    private static char letter(IntBinaryOperator luma, BitmapFont.Place place) {
        for (int i = 0; i < LETTERS.length(); i++) {
            if (matches(luma, place, LETTERS.charAt(i))) {
                return LETTERS.charAt(i);
            }
        }
        return '?';
    }

    private static boolean matches(IntBinaryOperator luma, BitmapFont.Place place, char letter) {
        int half = place.scale() / 2;
        for (int row = 0; row < BitmapFont.ROWS; row++) {
            for (int column = 0; column < BitmapFont.COLUMNS; column++) {
                int x = place.x() + column * place.scale() + half;
                int y = place.y() + row * place.scale() + half;
                boolean bright = luma.applyAsInt(x, y) > THRESHOLD;
                if (bright != BitmapFont.dot(letter, column, row)) {
                    return false;
                }
            }
        }
        return true;
    }
}
