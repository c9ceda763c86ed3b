package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class PixelBoxTest {
    @Test
    void with_otherBox_isAroundBoth() {
        PixelBox one = new PixelBox(10, 20, 30, 5);
        PixelBox other = new PixelBox(0, 22, 12, 40);

        assertEquals(new PixelBox(0, 20, 40, 42), one.with(other));
        assertEquals(one.with(other), other.with(one));
        assertEquals(one, one.with(new PixelBox(12, 21, 1, 1)), "inside");
    }

    @Test
    void box_emptyOrOutside_isRefused() {
        var empty = assertThrows(IllegalArgumentException.class, () -> new PixelBox(3, 4, 0, 1));

        assertEquals("box: 0x1 at (3, 4)", empty.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new PixelBox(-1, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new PixelBox(0, -1, 1, 1));
    }
}
